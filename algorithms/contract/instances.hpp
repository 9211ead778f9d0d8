// How many compile-time instances of a family are built: the CMake option BELLMARK_INSTANCES.
#pragma once

namespace bellmark {

/// smoke: at most 12 a family; paper: at most 90, what the paper's experiments need; full: all.
enum class Instances { smoke, paper, full };

#if defined(BELLMARK_INSTANCES_full)
inline constexpr Instances kInstances = Instances::full;
#elif defined(BELLMARK_INSTANCES_smoke)
inline constexpr Instances kInstances = Instances::smoke;
#else
inline constexpr Instances kInstances = Instances::paper;
#endif

}  // namespace bellmark
