// Phases as NVTX ranges, so that a profiler (Nsight Systems, Nsight Compute) shows them by name.
#include "harness/sinks/nvtx.hpp"

#if BELLMARK_HAVE_NVTX
#include <nvtx3/nvToolsExt.h>

#include <string>
#endif

namespace bellmark::sinks {

#if BELLMARK_HAVE_NVTX

namespace {

class NvtxRanges final : public measure::RangeMarker {
 public:
  NvtxRanges() : domain_(nvtxDomainCreateA("bellmark")) {}

  void push(std::string_view name) override {
    name_.assign(name);  // NVTX wants it to end in a zero
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = name_.c_str();
    nvtxDomainRangePushEx(domain_, &attributes);
  }

  void pop() override { nvtxDomainRangePop(domain_); }

 private:
  nvtxDomainHandle_t domain_;
  std::string name_;
};

}  // namespace

measure::RangeMarker* nvtx_ranges() {
  static NvtxRanges ranges;
  return &ranges;
}

#else

measure::RangeMarker* nvtx_ranges() { return nullptr; }

#endif

}  // namespace bellmark::sinks
