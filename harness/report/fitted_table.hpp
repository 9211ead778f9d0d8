// Tables that fit a terminal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace bellmark::report {

/// Rows of equal length as aligned columns, each line after `indent`. The first row is the head,
/// and the first column names the rows. Columns of one value, except the first `kept`, are printed
/// once above the table. If lines would be wider than `columns`, so are words that all names share.
/// Then names are cut in the middle. If little would be left of them, each name gets a line of its
/// own. Control characters are escaped.
std::string fitted(std::vector<std::vector<std::string>> rows, const std::string& indent,
                   std::size_t columns, std::size_t kept = 1);

/// fitted() for a terminal, which has `columns`. In a log every line is whole.
std::string fitted_or_whole(std::vector<std::vector<std::string>> rows, const std::string& indent,
                            std::optional<std::size_t> columns, std::size_t kept = 1);

}  // namespace bellmark::report
