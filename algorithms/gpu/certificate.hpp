// What certificates on a GPU share that needs no CUDA: checks by number, and whose the memory is.
#pragma once

#include <cstdint>
#include <string>

#include "algorithms/gpu/host_device.hpp"

namespace bellmark::gpu {

/// Of the checks that a certificate lists: check k is bit k - 1.
using FailedChecks = std::uint32_t;

BELLMARK_HOST_DEVICE constexpr FailedChecks check_bit(unsigned check) {
  return FailedChecks{1} << (check - 1);
}

/// `1, 4`: the numbers of those that failed.
std::string failed_text(FailedChecks failed);

/// Whether half of a device's memory stays free for variants when `bytes` of it are taken. A
/// variant that is prepared later and needs still more would find too little; what the ones before
/// it hold counts against it just the same.
constexpr bool leaves_room(std::uint64_t bytes, std::uint64_t free, std::uint64_t total) {
  return bytes <= free && free - bytes >= total / 2;
}

}  // namespace bellmark::gpu
