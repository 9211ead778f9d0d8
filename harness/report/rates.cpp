#include "harness/report/rates.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

#include "base/text.hpp"

namespace bellmark::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kGiga = 1e-9;

std::string rate_figure(const char* format, double value) {
  char figure[32];
  std::snprintf(figure, sizeof figure, format, value);
  return figure;
}

/// Three digits and a power of 1000: `45.6e9`.
std::string large_number(double value) {
  int power = 0;
  for (; value >= 999.5; value /= 1000) power += 3;
  const std::string figure = rate_figure("%.3g", value);
  return power == 0 ? figure : figure + "e" + std::to_string(power);
}

}  // namespace

std::string rate_text(double value, std::string_view unit) {
  if (unit == "bytes/s") return rate_figure("%.3g GB/s", value * kGiga);
  return large_number(value) + " " + std::string(unit);
}

std::string rate_text(const Json& cell) {
  if (const Json reads = cell.value("doubles_per_cycle", Json()); !reads.is_null()) {
    return rate_figure("%.2f doubles/cycle", reads.get<double>());
  }
  if (const Json teps = cell.value("teps", Json()); !teps.is_null()) {
    return rate_figure("%.4g GTEPS", teps.at("harmonic_mean").at("median").get<double>() * kGiga);
  }
  std::vector<std::string> texts;
  const Json rates = cell.value("rates", Json::object());
  for (const auto& [name, unit] : kRates) {
    if (!rates.contains(name)) continue;
    texts.push_back(rate_text(rates.at(name).at("median").get<double>(), unit));
  }
  return join(texts, ", ");
}

}  // namespace bellmark::report
