// Work per second, as text.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace bellmark::report {

/// The rates that a cell may have: their names in a result, and their units.
inline constexpr std::array<std::pair<const char*, const char*>, 3> kRates = {
    {{"bytes_per_second", "bytes/s"},
     {"operations_per_second", "operations/s"},
     {"items_per_second", "items/s"}}};

/// `12.3 GB/s`, `4.56e9 operations/s`: a rate in one of these units.
std::string rate_text(double value, std::string_view unit);

/// `12.3 GB/s, 4.56e9 operations/s`, `1.50 doubles/cycle` or `0.4789 GTEPS`; "" for a cell without
/// a rate.
std::string rate_text(const nlohmann::ordered_json& cell);

}  // namespace bellmark::report
