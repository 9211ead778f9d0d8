// Somebody's result and the same measured here: what agrees, cell by cell.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "harness/report/format.hpp"

namespace bellmark::report {

/// Each cell of the result `there` against the same cell of `here`, which is null where none could
/// be measured:
///   machines   what differs where they were measured (machine_differences())
///   within_ratio
///   cells      [{cell, label, here_id, there: {wall_ns, ratio}, here: {...}, verdict, reason}]
///   counts     how many agree, differ, can't be told, and are shown alone
/// A ratio against the baseline agrees when here / there lies within `within` either way by its
/// whole interval. It differs when that lies outside as a whole, or when one is FASTER and the
/// other SLOWER. Else it can't be told, and the reason says why. Times of the baseline are judged
/// the same way on machines that are alike; else they are shown. `missing` has the graphs that are
/// not here, with reasons.
Json replication(const Json& there, const Json& here,
                 const std::map<std::string, std::string>& missing, double within);

/// The same for people.
std::string replication_text(const Json& replication, std::optional<std::size_t> columns);

}  // namespace bellmark::report
