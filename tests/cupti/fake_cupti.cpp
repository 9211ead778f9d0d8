// A fake libcupti and CUDA driver. The sinks' calls, in their order and with their structures, can
// be tested without a GPU. It has the soname of the driver, because the sinks find an opened driver
// by that name.
#include "tests/cupti/fake_cupti.hpp"

#include <cuda.h>
#include <cupti_activity.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <cupti_version.h>

#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

struct Launch {
  int blocks;
  std::size_t ns;
};

struct State {
  std::string calls;
  std::map<std::string, int> failures;
  std::size_t passes = 1;
  std::size_t dropped = 0;
  std::set<CUpti_ActivityKind> enabled;
  std::vector<Launch> launches;  ///< recorded, not yet flushed
  std::size_t pass = 0;
  std::size_t range_blocks = 0;  ///< counted by the open range
  bool is_in_range = false;
  std::uint64_t now_ns = 0;  ///< the next time; the one after that is 10 us later
};

State& state() {
  static State state;
  return state;
}

CUpti_BuffersCallbackRequestFunc buffer_requested = nullptr;
CUpti_BuffersCallbackCompleteFunc buffer_completed = nullptr;

CUptiResult called(const char* function) {
  state().calls.append(function).append(" ");
  const auto found = state().failures.find(function);
  return found == state().failures.end() ? CUPTI_SUCCESS : static_cast<CUptiResult>(found->second);
}

/// A structure must say its own size, as the real library demands.
template <class Params>
CUptiResult called(const char* function, const Params* params, std::size_t size) {
  return params->structSize == size ? called(function) : CUPTI_ERROR_INVALID_PARAMETER;
}

template <class Record>
void append(std::uint8_t* buffer, std::size_t& at, const Record& record) {
  std::memcpy(buffer + at, &record, sizeof(record));
  at += sizeof(record);
}

template <class Object>
Object* handle() {
  static char object = 0;
  return reinterpret_cast<Object*>(&object);
}

}  // namespace

#define FAKE(function, Params)                                                    \
  if (const CUptiResult result = called(#function, params, Params##_STRUCT_SIZE); \
      result != CUPTI_SUCCESS)                                                    \
  return result

extern "C" {

void fake_reset() { state() = {}; }
void fake_fail(const char* function, int code) { state().failures[function] = code; }
void fake_counts(std::size_t passes, std::size_t dropped) {
  state().passes = passes;
  state().dropped = dropped;
}
void fake_launch(int blocks, std::size_t ns) {
  if (!state().enabled.empty()) state().launches.push_back({blocks, ns});
  if (state().is_in_range) state().range_blocks += static_cast<std::size_t>(blocks);
}
const char* fake_calls() { return state().calls.c_str(); }

CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = handle<CUctx_st>();
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* device) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuCtxSynchronize() { return CUDA_SUCCESS; }
CUresult cuGetErrorString(CUresult, const char** text) {
  *text = "a driver error";
  return CUDA_SUCCESS;
}

CUptiResult cuptiGetVersion(std::uint32_t* version) {
  *version = CUPTI_API_VERSION;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiGetResultString(CUptiResult, const char** text) {
  *text = "CUPTI_ERROR_FAKE";
  return CUPTI_SUCCESS;
}
CUptiResult cuptiGetErrorMessage(CUptiResult, const char** text) {
  *text = "two\nlines";
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetTimestamp(std::uint64_t* now) {
  *now = state().now_ns;
  state().now_ns = state().now_ns == 0 ? 10'000 : 0;
  return called("cuptiGetTimestamp");
}
CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc requested,
                                           CUpti_BuffersCallbackCompleteFunc completed) {
  buffer_requested = requested;
  buffer_completed = completed;
  return called("cuptiActivityRegisterCallbacks");
}
CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  state().enabled.insert(kind);
  return called("cuptiActivityEnable");
}
CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
  state().enabled.erase(kind);
  return called("cuptiActivityDisable");
}
CUptiResult cuptiActivityFlushAll(std::uint32_t) {
  std::uint8_t* buffer = nullptr;
  std::size_t size = 0;
  std::size_t records = 0;
  buffer_requested(&buffer, &size, &records);
  std::size_t at = 0;
  for (const Launch& launch : state().launches) {
    CUpti_ActivityKernel10 kernel{};
    kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    kernel.name = "_Z5relaxPj";
    kernel.start = 1000;
    kernel.end = 1000 + launch.ns;
    kernel.registersPerThread = 40;
    kernel.staticSharedMemory = 128;
    kernel.dynamicSharedMemory = 64;
    kernel.gridX = launch.blocks;
    kernel.gridY = kernel.gridZ = kernel.blockY = kernel.blockZ = 1;
    kernel.blockX = 256;
    append(buffer, at, kernel);
    CUpti_ActivityMemcpy6 copy{};
    copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
    copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
    copy.bytes = launch.ns;
    copy.start = 5000;
    copy.end = 5010;
    copy.copyCount = 1;
    append(buffer, at, copy);
    CUpti_ActivityMemset4 set{};
    set.kind = CUPTI_ACTIVITY_KIND_MEMSET;
    set.bytes = 7;
    set.start = 6000;
    set.end = 6001;
    append(buffer, at, set);
  }
  state().launches.clear();
  buffer_completed(nullptr, 0, buffer, size, at);
  return called("cuptiActivityFlushAll");
}
CUptiResult cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t size,
                                       CUpti_Activity** record) {
  auto* next = buffer;
  if (*record != nullptr) {
    const CUpti_ActivityKind kind = (*record)->kind;
    next = reinterpret_cast<std::uint8_t*>(*record) +
           (kind == CUPTI_ACTIVITY_KIND_MEMCPY   ? sizeof(CUpti_ActivityMemcpy6)
            : kind == CUPTI_ACTIVITY_KIND_MEMSET ? sizeof(CUpti_ActivityMemset4)
                                                 : sizeof(CUpti_ActivityKernel10));
  }
  if (next >= buffer + size) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = reinterpret_cast<CUpti_Activity*>(next);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, std::uint32_t, std::size_t* dropped) {
  *dropped = state().dropped;
  return called("cuptiActivityGetNumDroppedRecords");
}

CUptiResult cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params* params) {
  FAKE(cuptiProfilerInitialize, CUpti_Profiler_Initialize_Params);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerDeviceSupported(CUpti_Profiler_DeviceSupported_Params* params) {
  FAKE(cuptiProfilerDeviceSupported, CUpti_Profiler_DeviceSupported_Params);
  params->isSupported = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerGetCounterAvailability(
    CUpti_Profiler_GetCounterAvailability_Params* params) {
  FAKE(cuptiProfilerGetCounterAvailability, CUpti_Profiler_GetCounterAvailability_Params);
  params->counterAvailabilityImageSize = 8;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params* params) {
  FAKE(cuptiDeviceGetChipName, CUpti_Device_GetChipName_Params);
  params->pChipName = "FK100";
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params* params) {
  FAKE(cuptiProfilerHostInitialize, CUpti_Profiler_Host_Initialize_Params);
  params->pHostObject = handle<CUpti_Profiler_Host_Object>();
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params* params) {
  FAKE(cuptiProfilerHostDeinitialize, CUpti_Profiler_Host_Deinitialize_Params);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params* params) {
  FAKE(cuptiProfilerHostConfigAddMetrics, CUpti_Profiler_Host_ConfigAddMetrics_Params);
  for (std::size_t i = 0; i < params->numMetrics; ++i) {
    if (std::strncmp(params->ppMetricNames[i], "no__", 4) == 0)
      return CUPTI_ERROR_INVALID_PARAMETER;
  }
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostGetConfigImageSize(
    CUpti_Profiler_Host_GetConfigImageSize_Params* params) {
  FAKE(cuptiProfilerHostGetConfigImageSize, CUpti_Profiler_Host_GetConfigImageSize_Params);
  params->configImageSize = 16;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params* params) {
  FAKE(cuptiProfilerHostGetConfigImage, CUpti_Profiler_Host_GetConfigImage_Params);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params* params) {
  FAKE(cuptiProfilerHostGetNumOfPasses, CUpti_Profiler_Host_GetNumOfPasses_Params);
  params->numOfPasses = state().passes;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostEvaluateToGpuValues(
    CUpti_Profiler_Host_EvaluateToGpuValues_Params* params) {
  FAKE(cuptiProfilerHostEvaluateToGpuValues, CUpti_Profiler_Host_EvaluateToGpuValues_Params);
  // The i-th metric counts i + 1 for each block.
  for (std::size_t i = 0; i < params->numMetrics; ++i) {
    params->pMetricValues[i] = static_cast<double>((i + 1) * state().range_blocks);
  }
  return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params* params) {
  FAKE(cuptiRangeProfilerEnable, CUpti_RangeProfiler_Enable_Params);
  params->pRangeProfilerObject = handle<CUpti_RangeProfiler_Object>();
  state().pass = 0;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params* params) {
  FAKE(cuptiRangeProfilerDisable, CUpti_RangeProfiler_Disable_Params);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerGetCounterDataSize(
    CUpti_RangeProfiler_GetCounterDataSize_Params* params) {
  FAKE(cuptiRangeProfilerGetCounterDataSize, CUpti_RangeProfiler_GetCounterDataSize_Params);
  params->counterDataSize = 32;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerCounterDataImageInitialize(
    CUpti_RangeProfiler_CounterDataImage_Initialize_Params* params) {
  FAKE(cuptiRangeProfilerCounterDataImageInitialize,
       CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
  return params->counterDataSize == 32 ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}
CUptiResult cuptiRangeProfilerSetConfig(CUpti_RangeProfiler_SetConfig_Params* params) {
  FAKE(cuptiRangeProfilerSetConfig, CUpti_RangeProfiler_SetConfig_Params);
  const bool is_right = params->configSize == 16 && params->counterDataImageSize == 32 &&
                        params->range == CUPTI_UserRange &&
                        params->replayMode == CUPTI_UserReplay && params->maxRangesPerPass == 1;
  return is_right ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}
CUptiResult cuptiRangeProfilerStart(CUpti_RangeProfiler_Start_Params* params) {
  FAKE(cuptiRangeProfilerStart, CUpti_RangeProfiler_Start_Params);
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerStop(CUpti_RangeProfiler_Stop_Params* params) {
  FAKE(cuptiRangeProfilerStop, CUpti_RangeProfiler_Stop_Params);
  params->isAllPassSubmitted = ++state().pass >= state().passes ? 1 : 0;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerPushRange(CUpti_RangeProfiler_PushRange_Params* params) {
  FAKE(cuptiRangeProfilerPushRange, CUpti_RangeProfiler_PushRange_Params);
  state().is_in_range = true;
  state().range_blocks = 0;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerPopRange(CUpti_RangeProfiler_PopRange_Params* params) {
  FAKE(cuptiRangeProfilerPopRange, CUpti_RangeProfiler_PopRange_Params);
  state().is_in_range = false;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerDecodeData(CUpti_RangeProfiler_DecodeData_Params* params) {
  FAKE(cuptiRangeProfilerDecodeData, CUpti_RangeProfiler_DecodeData_Params);
  params->numOfRangeDropped = 0;
  return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerGetCounterDataInfo(
    CUpti_RangeProfiler_GetCounterDataInfo_Params* params) {
  FAKE(cuptiRangeProfilerGetCounterDataInfo, CUpti_RangeProfiler_GetCounterDataInfo_Params);
  params->numTotalRanges = 1;
  return CUPTI_SUCCESS;
}
}
