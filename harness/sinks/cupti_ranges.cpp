// GPU counters through CUPTI's Range Profiler: the counts of the whole GPU during a stretch.
#include "harness/sinks/cupti_ranges.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "harness/sinks/cupti.hpp"
#include "harness/sinks/uncounted.hpp"

#if BELLMARK_HAVE_CUPTI
#include "harness/sinks/cupti_api.hpp"
#endif

namespace bellmark::sinks {

std::optional<std::int64_t> whole_value(double value) {
  // Beyond 2^53 a double skips integers, and 2^63 is the first that doesn't fit.
  constexpr double kTooLarge = 9223372036854775808.0;
  if (!std::isfinite(value) || value < 0 || value >= kTooLarge) return std::nullopt;
  return static_cast<std::int64_t>(std::llround(value));
}

#if BELLMARK_HAVE_CUPTI

namespace {

using cupti::api;
using cupti::check;

/// A parameter structure, zeroed, with its size, which tells CUPTI the version.
template <class Params>
Params sized(std::size_t size) {
  Params params{};
  params.structSize = size;
  return params;
}

/// Newer libraries leave out counters of the whole device (DRAM) by default.
template <class Params>
void allow_device_counters(Params& params) {
  if constexpr (requires { params.bAllowDeviceLevelCounters; }) {
    params.bAllowDeviceLevelCounters = 1;
  }
}

using Image = std::vector<std::uint8_t>;
using Names = std::vector<const char*>;

/// CUPTI's tables for one chip: turns metrics into hardware counters, and back.
class Host {
 public:
  Host(const std::string& chip, const Image& availability) {
    auto params = sized<CUpti_Profiler_Host_Initialize_Params>(
        CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE);
    params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    params.pChipName = chip.c_str();
    params.pCounterAvailabilityImage = availability.empty() ? nullptr : availability.data();
    check(api().cuptiProfilerHostInitialize(&params), "cuptiProfilerHostInitialize");
    host_ = params.pHostObject;
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  ~Host() {
    auto params = sized<CUpti_Profiler_Host_Deinitialize_Params>(
        CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE);
    params.pHostObject = host_;
    api().cuptiProfilerHostDeinitialize(&params);
  }

  /// The configuration for the hardware to count `metrics`.
  Image config(Names& metrics) {
    auto add = sized<CUpti_Profiler_Host_ConfigAddMetrics_Params>(
        CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE);
    add.pHostObject = host_;
    add.ppMetricNames = metrics.data();
    add.numMetrics = metrics.size();
    check(api().cuptiProfilerHostConfigAddMetrics(&add), "cuptiProfilerHostConfigAddMetrics");
    auto size = sized<CUpti_Profiler_Host_GetConfigImageSize_Params>(
        CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE);
    size.pHostObject = host_;
    check(api().cuptiProfilerHostGetConfigImageSize(&size), "cuptiProfilerHostGetConfigImageSize");
    Image image(size.configImageSize);
    auto get = sized<CUpti_Profiler_Host_GetConfigImage_Params>(
        CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE);
    get.pHostObject = host_;
    get.configImageSize = image.size();
    get.pConfigImage = image.data();
    check(api().cuptiProfilerHostGetConfigImage(&get), "cuptiProfilerHostGetConfigImage");
    return image;
  }

  /// The metrics' values in the first range of `counters`.
  std::vector<double> values(const Image& counters, Names& metrics) {
    std::vector<double> values(metrics.size());
    auto params = sized<CUpti_Profiler_Host_EvaluateToGpuValues_Params>(
        CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE);
    params.pHostObject = host_;
    params.pCounterDataImage = counters.data();
    params.counterDataImageSize = counters.size();
    params.rangeIndex = 0;
    params.ppMetricNames = metrics.data();
    params.numMetrics = metrics.size();
    params.pMetricValues = values.data();
    check(api().cuptiProfilerHostEvaluateToGpuValues(&params),
          "cuptiProfilerHostEvaluateToGpuValues");
    return values;
  }

 private:
  CUpti_Profiler_Host_Object* host_ = nullptr;
};

std::size_t pass_count(Image& config) {
  auto params = sized<CUpti_Profiler_Host_GetNumOfPasses_Params>(
      CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE);
  params.configImageSize = config.size();
  params.pConfigImage = config.data();
  check(api().cuptiProfilerHostGetNumOfPasses(&params), "cuptiProfilerHostGetNumOfPasses");
  return params.numOfPasses;
}

/// Why `chip` can't count the metric; "" when it can. Metrics are asked one by one, because one
/// unknown metric would spoil the group.
std::string refusal(const std::string& chip, const Image& availability, const std::string& metric) {
  Host host(chip, availability);
  Names names = {metric.c_str()};
  try {
    host.config(names);
    return "";
  } catch (const cupti::Failure& failure) {
    return chip + " can't count " + metric + " here: " + failure.what();
  }
}

/// A group on a chip: the metrics that it can count, and their configuration.
struct Schedule {
  std::vector<std::string> refusals;  ///< one an event
  Names metrics;                      ///< the others, in the group's order
  Image config;
  std::size_t pass_count = 0;
};

Schedule make_schedule(const Group& group, const std::string& chip, const Image& availability) {
  Schedule made;
  for (const Event& event : group.events) {
    made.refusals.push_back(refusal(chip, availability, event.name));
    if (made.refusals.back().empty()) made.metrics.push_back(event.name.c_str());
  }
  if (made.metrics.empty()) return made;
  Host host(chip, availability);
  made.config = host.config(made.metrics);
  made.pass_count = pass_count(made.config);
  return made;
}

void initialize_profiler() {
  auto params =
      sized<CUpti_Profiler_Initialize_Params>(CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
  check(api().cuptiProfilerInitialize(&params), "cuptiProfilerInitialize");
}

/// Throws Failure with the obstacles on this device.
void require_support(CUdevice device) {
  auto params = sized<CUpti_Profiler_DeviceSupported_Params>(
      CUpti_Profiler_DeviceSupported_Params_STRUCT_SIZE);
  params.cuDevice = device;
  params.api = CUPTI_PROFILER_RANGE_PROFILING;
  check(api().cuptiProfilerDeviceSupported(&params), "cuptiProfilerDeviceSupported");
  const auto lacks = [](CUpti_Profiler_Support_Level level) {
    return level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED ||
           level == CUPTI_PROFILER_CONFIGURATION_DISABLED;
  };
  if (!lacks(params.isSupported)) return;
  std::string why;
  const auto add = [&](CUpti_Profiler_Support_Level level, const char* text) {
    if (lacks(level)) why += (why.empty() ? "" : ", ") + std::string(text);
  };
  add(params.architecture, "the GPU is older than Turing");
  add(params.sli, "SLI is on");
  add(params.vGpu, "the virtual GPU doesn't allow it: an administrator of the hypervisor can");
  add(params.confidentialCompute, "confidential computing is on");
  add(params.cmp, "it is a mining processor");
  add(params.wsl, "WSL doesn't allow it");
  throw cupti::Failure("this device can't be profiled: " +
                       (why.empty() ? "CUPTI doesn't say why" : why));
}

std::string chip_name(CUdevice device) {
  auto params = sized<CUpti_Device_GetChipName_Params>(CUpti_Device_GetChipName_Params_STRUCT_SIZE);
  params.deviceIndex = static_cast<std::size_t>(device);
  check(api().cuptiDeviceGetChipName(&params), "cuptiDeviceGetChipName");
  if (params.pChipName == nullptr) throw cupti::Failure("cuptiDeviceGetChipName: no name");
  return params.pChipName;
}

/// The counters that this device lets a process read.
Image availability(CUcontext context) {
  auto params = sized<CUpti_Profiler_GetCounterAvailability_Params>(
      CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE);
  params.ctx = context;
  allow_device_counters(params);
  check(api().cuptiProfilerGetCounterAvailability(&params), "cuptiProfilerGetCounterAvailability");
  Image image(params.counterAvailabilityImageSize);
  params.pCounterAvailabilityImage = image.data();
  check(api().cuptiProfilerGetCounterAvailability(&params), "cuptiProfilerGetCounterAvailability");
  return image;
}

/// The range profiler, enabled on a context and set up for one range, until destroyed. The calls
/// and their order are those of NVIDIA's sample range_profiling.
class Session {
 public:
  Session(CUcontext context, Schedule& schedule) {
    auto enable =
        sized<CUpti_RangeProfiler_Enable_Params>(CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE);
    enable.ctx = context;
    check(api().cuptiRangeProfilerEnable(&enable), "cuptiRangeProfilerEnable");
    profiler_ = enable.pRangeProfilerObject;
    try {
      make_counters(schedule.metrics);
      configure(schedule.config);
    } catch (...) {
      disable();
      throw;
    }
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() { disable(); }

  void start() {
    auto params =
        sized<CUpti_RangeProfiler_Start_Params>(CUpti_RangeProfiler_Start_Params_STRUCT_SIZE);
    params.pRangeProfilerObject = profiler_;
    check(api().cuptiRangeProfilerStart(&params), "cuptiRangeProfilerStart");
    auto push = sized<CUpti_RangeProfiler_PushRange_Params>(
        CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE);
    push.pRangeProfilerObject = profiler_;
    push.pRangeName = "query";
    check(api().cuptiRangeProfilerPushRange(&push), "cuptiRangeProfilerPushRange");
  }

  /// True when every pass is done.
  bool stop() {
    auto pop =
        sized<CUpti_RangeProfiler_PopRange_Params>(CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE);
    pop.pRangeProfilerObject = profiler_;
    check(api().cuptiRangeProfilerPopRange(&pop), "cuptiRangeProfilerPopRange");
    auto params =
        sized<CUpti_RangeProfiler_Stop_Params>(CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE);
    params.pRangeProfilerObject = profiler_;
    check(api().cuptiRangeProfilerStop(&params), "cuptiRangeProfilerStop");
    return params.isAllPassSubmitted != 0;
  }

  /// The counters of the one range, as an image for Host::values().
  const Image& decoded() {
    auto decode = sized<CUpti_RangeProfiler_DecodeData_Params>(
        CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE);
    decode.pRangeProfilerObject = profiler_;
    check(api().cuptiRangeProfilerDecodeData(&decode), "cuptiRangeProfilerDecodeData");
    auto info = sized<CUpti_RangeProfiler_GetCounterDataInfo_Params>(
        CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE);
    info.pCounterDataImage = counters_.data();
    info.counterDataImageSize = counters_.size();
    check(api().cuptiRangeProfilerGetCounterDataInfo(&info),
          "cuptiRangeProfilerGetCounterDataInfo");
    if (decode.numOfRangeDropped != 0 || info.numTotalRanges != 1) {
      throw cupti::Failure("cuptiRangeProfilerDecodeData: " + std::to_string(info.numTotalRanges) +
                           " ranges came back and " + std::to_string(decode.numOfRangeDropped) +
                           " were dropped, instead of 1 and 0");
    }
    return counters_;
  }

 private:
  void make_counters(Names& metrics) {
    auto size = sized<CUpti_RangeProfiler_GetCounterDataSize_Params>(
        CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE);
    size.pRangeProfilerObject = profiler_;
    size.pMetricNames = metrics.data();
    size.numMetrics = metrics.size();
    size.maxNumOfRanges = 1;
    size.maxNumRangeTreeNodes = 1;
    check(api().cuptiRangeProfilerGetCounterDataSize(&size),
          "cuptiRangeProfilerGetCounterDataSize");
    counters_.assign(size.counterDataSize, 0);
    auto params = sized<CUpti_RangeProfiler_CounterDataImage_Initialize_Params>(
        CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE);
    params.pRangeProfilerObject = profiler_;
    params.counterDataSize = counters_.size();
    params.pCounterData = counters_.data();
    check(api().cuptiRangeProfilerCounterDataImageInitialize(&params),
          "cuptiRangeProfilerCounterDataImageInitialize");
  }

  void configure(const Image& config) {
    auto params = sized<CUpti_RangeProfiler_SetConfig_Params>(
        CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE);
    params.pRangeProfilerObject = profiler_;
    params.configSize = config.size();
    params.pConfig = config.data();
    params.counterDataImageSize = counters_.size();
    params.pCounterDataImage = counters_.data();
    params.range = CUPTI_UserRange;
    params.replayMode = CUPTI_UserReplay;
    params.maxRangesPerPass = 1;
    params.numNestingLevels = 1;
    params.minNestingLevel = 1;
    params.passIndex = 0;
    params.targetNestingLevel = 1;
    check(api().cuptiRangeProfilerSetConfig(&params), "cuptiRangeProfilerSetConfig");
  }

  void disable() {
    auto params =
        sized<CUpti_RangeProfiler_Disable_Params>(CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE);
    params.pRangeProfilerObject = profiler_;
    api().cuptiRangeProfilerDisable(&params);
  }

  CUpti_RangeProfiler_Object* profiler_ = nullptr;
  Image counters_;
};

class Ranges final : public CounterSink {
 public:
  explicit Ranges(Group group) : group_(std::move(group)) {
    try {
      api();
      const cupti::Context current = cupti::current_context();
      context_ = current.context;
      initialize_profiler();
      require_support(current.device);
      const std::string chip = chip_name(current.device);
      const Image available = availability(context_);
      schedule_ = make_schedule(group_, chip, available);
      if (schedule_.metrics.empty()) throw cupti::Failure(schedule_.refusals.front());
      // It evaluates the hardware's counts, so it must know the metrics.
      host_ = std::make_unique<Host>(chip, available);
      host_->config(schedule_.metrics);
    } catch (const cupti::Failure& failure) {
      failure_ = failure.what();
    }
  }

  std::string name() const override { return "cupti"; }

  std::optional<std::string> unavailable() const override {
    if (failure_.empty()) return std::nullopt;
    return failure_;
  }

  void start() override {
    if (is_started_) throw std::logic_error("cupti: started twice");
    is_started_ = true;
    attempt([&] {
      if (!session_) {
        session_ = std::make_unique<Session>(context_, schedule_);
        passes_done_ = 0;
      }
      session_->start();
    });
  }

  std::vector<Reading> stop() override {
    if (!is_started_) throw std::logic_error("cupti: stopped, but not started");
    is_started_ = false;
    std::vector<double> values;
    attempt([&] {
      cupti::synchronize_context();
      const bool is_last = session_->stop();
      ++passes_done_;
      if (!is_last && passes_done_ < schedule_.pass_count) return;
      if (!is_last) throw cupti::Failure("CUPTI wants more passes than it announced");
      values = host_->values(session_->decoded(), schedule_.metrics);
      session_.reset();
    });
    return readings(values);
  }

  bool is_complete() const override { return !session_; }

 private:
  /// One failure ends all counting: the next would be the same.
  template <class Work>
  void attempt(Work&& work) {
    if (!failure_.empty()) return;
    try {
      work();
    } catch (const cupti::Failure& failure) {
      failure_ = failure.what();
      session_.reset();
    }
  }

  std::vector<Reading> readings(const std::vector<double>& values) const {
    std::vector<Reading> readings;
    std::size_t next = 0;
    for (std::size_t i = 0; i < group_.events.size(); ++i) {
      Reading reading{group_.events[i].name, group_.events[i].unit, std::nullopt, failure_};
      if (failure_.empty()) {
        reading.reason = schedule_.refusals[i];
        if (reading.reason.empty() && next < values.size())
          reading.value = whole_value(values[next++]);
        if (reading.reason.empty() && !reading.value) reading.reason = "CUPTI gave no number";
      }
      readings.push_back(std::move(reading));
    }
    return readings;
  }

  Group group_;  ///< the schedule points to its names
  CUcontext context_ = nullptr;
  Schedule schedule_;
  std::unique_ptr<Host> host_;
  std::unique_ptr<Session> session_;  ///< while a stretch has passes left
  std::size_t passes_done_ = 0;
  std::string failure_;  ///< why nothing can be counted
  bool is_started_ = false;
};

}  // namespace

std::unique_ptr<CounterSink> open_cupti_ranges(const Group& group) {
  return std::make_unique<Ranges>(group);
}

ChipPlan plan_on_chip(const Group& group, const std::string& chip) {
  const Schedule planned = make_schedule(group, chip, {});
  return {planned.refusals, planned.pass_count};
}

#else

std::unique_ptr<CounterSink> open_cupti_ranges(const Group& group) {
  return std::make_unique<Uncounted>("cupti", group, cupti::unavailable());
}

ChipPlan plan_on_chip(const Group&, const std::string&) {
  throw cupti::Failure(cupti::unavailable());
}

#endif

}  // namespace bellmark::sinks
