// Resident memory of this process, now and at its peak.
#include "harness/machine/memory.hpp"

#include <unistd.h>

#include <array>
#include <fstream>
#include <iomanip>
#include <sstream>

#include "base/error.hpp"
#include "harness/machine/files.hpp"

namespace bellmark::machine {

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t size_pages = 0;
  std::uint64_t resident_pages = 0;
  if (!(file >> size_pages >> resident_pages)) {
    throw MachineError("/proc/self/statm", "cannot read the resident size");
  }
  return resident_pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t peak_resident_bytes() {
  const FileText status = FileRoot().read("/proc/self/status");
  const std::optional<std::string> peak = field(status.text.value_or(""), "VmHWM", ':');
  const std::optional<long long> kib =
      peak ? to_integer(std::string_view(*peak).substr(0, peak->find(' '))) : std::nullopt;
  if (!kib || *kib < 0) throw MachineError("/proc/self/status", "cannot read VmHWM");
  return static_cast<std::uint64_t>(*kib) * 1024;
}

bool reset_peak_resident() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  return file.good();
}

std::string human_bytes(std::uint64_t bytes) {
  constexpr std::array kUnits{"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  auto value = static_cast<double>(bytes);
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  std::ostringstream text;
  text << std::setprecision(value < 100 ? 3 : 4) << value << " " << kUnits[unit];
  return text.str();
}

}  // namespace bellmark::machine
