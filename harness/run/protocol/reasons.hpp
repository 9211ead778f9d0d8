// Reasons that several parts give for a missing reading. Each is one text.
#pragma once

namespace bellmark::run {

/// Why a cell that runs on the CPU alone has no kernels.
inline constexpr const char* kNoGpuVariant = "the variant runs on no GPU";
/// Why a cell of ranks has no kernels and energy.
inline constexpr const char* kNoInstruments = "instruments see one process, and this ran as ranks";

/// Why the cell of another program has no counters.
inline constexpr const char* kOwnProcess =
    "counters see this process, and the program runs in one of its own";

}  // namespace bellmark::run
