// The functions of CUPTI and of the CUDA driver that the sinks call, found at run time. Included
// only if the headers were there when Bellmark was built.
#pragma once

#include <cuda.h>
#include <cupti_activity.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>
#include <cupti_version.h>

#include "harness/sinks/cupti.hpp"

#define BELLMARK_CUPTI_FUNCTIONS(f)                \
  f(cuptiGetVersion);                              \
  f(cuptiGetErrorMessage);                         \
  f(cuptiGetResultString);                         \
  f(cuptiGetTimestamp);                            \
  f(cuptiActivityRegisterCallbacks);               \
  f(cuptiActivityEnable);                          \
  f(cuptiActivityDisable);                         \
  f(cuptiActivityFlushAll);                        \
  f(cuptiActivityGetNextRecord);                   \
  f(cuptiActivityGetNumDroppedRecords);            \
  f(cuptiProfilerInitialize);                      \
  f(cuptiProfilerDeviceSupported);                 \
  f(cuptiProfilerGetCounterAvailability);          \
  f(cuptiDeviceGetChipName);                       \
  f(cuptiProfilerHostInitialize);                  \
  f(cuptiProfilerHostDeinitialize);                \
  f(cuptiProfilerHostConfigAddMetrics);            \
  f(cuptiProfilerHostGetConfigImageSize);          \
  f(cuptiProfilerHostGetConfigImage);              \
  f(cuptiProfilerHostGetNumOfPasses);              \
  f(cuptiProfilerHostEvaluateToGpuValues);         \
  f(cuptiRangeProfilerEnable);                     \
  f(cuptiRangeProfilerDisable);                    \
  f(cuptiRangeProfilerGetCounterDataSize);         \
  f(cuptiRangeProfilerCounterDataImageInitialize); \
  f(cuptiRangeProfilerSetConfig);                  \
  f(cuptiRangeProfilerStart);                      \
  f(cuptiRangeProfilerStop);                       \
  f(cuptiRangeProfilerPushRange);                  \
  f(cuptiRangeProfilerPopRange);                   \
  f(cuptiRangeProfilerDecodeData);                 \
  f(cuptiRangeProfilerGetCounterDataInfo)

namespace bellmark::sinks::cupti {

struct Api {
// A name that is declared takes no parentheses. NOLINTNEXTLINE(bugprone-macro-parentheses)
#define BELLMARK_CUPTI_DECLARE(name) decltype(&::name) name = nullptr
  BELLMARK_CUPTI_FUNCTIONS(BELLMARK_CUPTI_DECLARE);
#undef BELLMARK_CUPTI_DECLARE
};

/// The library's functions, looked up once in each process. Throws Failure when it can't be used.
const Api& api();

/// Throws Failure unless `result` is success.
void check(CUptiResult result, const char* call);

/// The calling thread's CUDA context. A variant makes it. Before there is one, CUPTI must not be
/// asked about a device: it crashes without a driver.
struct Context {
  CUcontext context = nullptr;
  CUdevice device = 0;
};

/// Throws Failure when the thread has none.
Context current_context();

/// Waits for all work in the thread's context. Throws Failure.
void synchronize_context();

}  // namespace bellmark::sinks::cupti
