#include "harness/report/unpaired.hpp"

#include <optional>

namespace bellmark::report {

measure::Ratio unpaired_ratio(const nlohmann::ordered_json& before,
                              const nlohmann::ordered_json& after) {
  const double value = after.at("median").get<double>() / before.at("median").get<double>();
  if (before.at("ci95_low").is_null() || after.at("ci95_low").is_null()) {
    return {value, std::nullopt};
  }
  return {value, measure::Interval{
                     after.at("ci95_low").get<double>() / before.at("ci95_high").get<double>(),
                     after.at("ci95_high").get<double>() / before.at("ci95_low").get<double>()}};
}

}  // namespace bellmark::report
