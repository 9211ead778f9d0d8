#include "harness/machine/rapl.hpp"

#include <utility>

namespace bellmark::machine {
namespace {

constexpr const char* kPowercap = "/sys/class/powercap";

}  // namespace

Rapl::Rapl(FileRoot root) : root_(std::move(root)) {
  for (const std::string& name : root_.list(kPowercap)) {
    const std::string folder = std::string(kPowercap) + "/" + name;
    // Parts of a package (`core`, `dram`) have counters of their own, which would count twice.
    const FileText kind = root_.read(folder + "/name");
    if (!name.starts_with("intel-rapl:") || !kind.text || !kind.text->starts_with("package-")) {
      continue;
    }
    Package package{.folder = folder};
    package.range_uj =
        to_integer(root_.read(folder + "/max_energy_range_uj").text.value_or("")).value_or(0);
    const auto now = read(package);
    if (!now) return;
    package.last_uj = *now;
    packages_.push_back(std::move(package));
  }
  if (packages_.empty() && reason_.empty()) {
    reason_ = std::string("no RAPL: ") + kPowercap +
              " shows no package, as on most virtual machines and processors without it";
  }
}

std::optional<long long> Rapl::read(const Package& package) {
  const FileText file = root_.read(package.folder + "/energy_uj");
  const auto value = to_integer(file.text.value_or(""));
  if (value && *value >= 0) return value;
  reason_ = "RAPL can't be read (most systems let root alone): " +
            (file.text ? package.folder + "/energy_uj is not a number" : file.reason);
  return std::nullopt;
}

std::optional<double> Rapl::energy_j() {
  if (!reason_.empty()) return std::nullopt;
  constexpr double kPerJoule = 1e6;
  double sum = 0;
  for (Package& package : packages_) {
    const auto now = read(package);
    if (!now) return std::nullopt;
    const bool wrapped = *now < package.last_uj;
    if (wrapped && package.range_uj <= 0) {
      reason_ = package.folder + ": the counter began again, and its range is unknown";
      return std::nullopt;
    }
    package.sum_uj +=
        static_cast<double>(*now - package.last_uj + (wrapped ? package.range_uj : 0));
    package.last_uj = *now;
    sum += package.sum_uj;
  }
  return sum / kPerJoule;
}

}  // namespace bellmark::machine
