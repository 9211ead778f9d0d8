// The work of a run (Work), among the facts of answers.
#pragma once

namespace bellmark::run {

inline constexpr const char* kWorkBytes = "work_bytes";
inline constexpr const char* kWorkOperations = "work_operation_count";
inline constexpr const char* kWorkItems = "work_item_count";

}  // namespace bellmark::run
