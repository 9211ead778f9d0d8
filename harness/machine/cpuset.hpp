// A set of processing units by OS index, and its way to and from hwloc's bitmaps.
#pragma once

#include <memory>
#include <string>
#include <vector>

struct hwloc_bitmap_s;

namespace bellmark::machine {

/// Numbers in their order, consecutive numbers as a range: {0, 1, 2, 8} is `0-2,8`; "" when empty.
std::string list_of(const std::vector<unsigned>& numbers);

/// Processing units (hardware threads) by OS index, ascending and unique.
struct Cpuset {
  std::vector<unsigned> pus;

  /// In the form of the kernel's CPU lists: `0-3,8`.
  std::string list() const;

  bool operator==(const Cpuset&) const = default;
};

struct FreeBitmap {
  void operator()(hwloc_bitmap_s* bitmap) const;
};
using Bitmap = std::unique_ptr<hwloc_bitmap_s, FreeBitmap>;

/// An empty bitmap. Throws MachineError when there is no memory for it.
Bitmap make_bitmap();
Bitmap to_bitmap(const Cpuset& cpuset);

/// `bitmap` must be finite.
Cpuset to_cpuset(const hwloc_bitmap_s* bitmap);

}  // namespace bellmark::machine
