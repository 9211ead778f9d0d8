// Resident memory of this process, now and at its peak.
#pragma once

#include <cstdint>
#include <string>

namespace bellmark::machine {

/// Bytes resident at the call (/proc/self/statm). The kernel keeps the count by CPU, so it may lag
/// by some hundred KiB. Throws MachineError when it can't be read.
std::uint64_t resident_bytes();

/// The most bytes resident from the process's start, or from reset_peak_resident(), on (VmHWM).
/// Throws MachineError when it can't be read.
std::uint64_t peak_resident_bytes();

/// Makes the peak start again from the resident bytes at the call. False when the system doesn't
/// permit it: the peak then still covers the whole life of the process.
bool reset_peak_resident();

/// For people: `512 bytes`, `32 KiB`, `1.5 GiB`.
std::string human_bytes(std::uint64_t bytes);

}  // namespace bellmark::machine
