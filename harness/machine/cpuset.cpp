// A set of processing units by OS index, and its way to and from hwloc's bitmaps.
#include "harness/machine/cpuset.hpp"

#include <hwloc.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark::machine {

std::string list_of(const std::vector<unsigned>& numbers) {
  std::vector<std::string> runs;
  for (std::size_t first = 0; first < numbers.size();) {
    std::size_t last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    std::string run = std::to_string(numbers[first]);
    if (last > first) run.append("-").append(std::to_string(numbers[last]));
    runs.push_back(std::move(run));
    first = last + 1;
  }
  return join(runs, ",");
}

std::string Cpuset::list() const { return list_of(pus); }

void FreeBitmap::operator()(hwloc_bitmap_s* bitmap) const { hwloc_bitmap_free(bitmap); }

Bitmap make_bitmap() {
  Bitmap bitmap(hwloc_bitmap_alloc());
  if (!bitmap) throw MachineError("hwloc", "no memory for a CPU set");
  return bitmap;
}

Bitmap to_bitmap(const Cpuset& cpuset) {
  Bitmap bitmap = make_bitmap();
  for (const unsigned pu : cpuset.pus) {
    if (hwloc_bitmap_set(bitmap.get(), pu) != 0) {
      throw MachineError("hwloc", "no memory for a CPU set");
    }
  }
  return bitmap;
}

Cpuset to_cpuset(const hwloc_bitmap_s* bitmap) {
  Cpuset cpuset;
  for (int pu = hwloc_bitmap_first(bitmap); pu >= 0; pu = hwloc_bitmap_next(bitmap, pu)) {
    cpuset.pus.push_back(static_cast<unsigned>(pu));
  }
  return cpuset;
}

}  // namespace bellmark::machine
