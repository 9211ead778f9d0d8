// A stored result and its second measurement here: a comparison, cell by cell.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "harness/report/format.hpp"

namespace bellmark::report {

/// Each cell of the result `there` against the same cell of `here`. `here` is null if no cell could
/// be measured. The JSON has:
///   machines   differences between the machines (machine_differences())
///   within_ratio
///   cells      [{cell, label, here_id, there: {wall_ns, ratio}, here: {...}, verdict, reason}]
///   counts     numbers of cells that agree, differ, can't be told, and are only shown
/// A ratio against the baseline agrees when the whole interval of here / there lies within `within`
/// either way. It differs when the whole interval lies outside, or when one ratio is FASTER and the
/// other SLOWER. Otherwise it can't be told, and the reason says why. On alike machines, times of
/// the baseline are judged in the same way; on others they are shown. `missing` has the graphs that
/// are not here, with reasons.
Json replication(const Json& there, const Json& here,
                 const std::map<std::string, std::string>& missing, double within);

/// The comparison as text.
std::string replication_text(const Json& replication, std::optional<std::size_t> columns);

}  // namespace bellmark::report
