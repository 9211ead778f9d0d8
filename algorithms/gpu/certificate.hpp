// The common part of certificates on a GPU that needs no CUDA: checks by number, and the memory's
// owner.
#pragma once

#include <cstdint>
#include <string>

#include "algorithms/gpu/host_device.hpp"

namespace bellmark::gpu {

/// The set of checks among those that a certificate lists: check k is bit k - 1.
using FailedChecks = std::uint32_t;

BELLMARK_HOST_DEVICE constexpr FailedChecks check_bit(unsigned check) {
  return FailedChecks{1} << (check - 1);
}

/// `1, 4`: the numbers of those that failed.
std::string failed_text(FailedChecks failed);

/// Whether half of a device's memory stays free for variants when `bytes` of it are taken. A
/// variant that is prepared later and needs still more finds too little. Memory that earlier
/// variants hold counts against it in the same way.
constexpr bool leaves_room(std::uint64_t bytes, std::uint64_t free, std::uint64_t total) {
  return bytes <= free && free - bytes >= total / 2;
}

}  // namespace bellmark::gpu
