// Lists of values, written for people.
#pragma once

#include <string>
#include <vector>

namespace bellmark::plan {

bool has(const std::vector<std::string>& values, const std::string& value);

/// Adds the value unless it is there.
void add_once(std::vector<std::string>& values, const std::string& value);

/// `2, 4`, `14..17`, or the first few if there are many.
std::string list_text(const std::vector<std::string>& values);

}  // namespace bellmark::plan
