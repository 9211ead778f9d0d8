// CUPTI, NVIDIA's profiling library: opened at run time, so that nothing is linked to it, and its
// errors in words that a person can act on.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bellmark::sinks::cupti {

/// A CUPTI or driver call that failed. Never leaves a sink: it becomes a reason.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// `call: text (code)`, and what to do about it where that is known.
std::string failure_text(std::string_view call, int code, std::string_view text);

/// Where libcupti is looked for, in order; `given` ($BELLMARK_CUPTI) alone when it is not empty.
/// `root` is prepended to absolute folders that are listed, for tests.
std::vector<std::string> library_candidates(const std::string& given, const std::string& root = "");

/// Why this process can't use CUPTI at all (not built in, no library); "" when it can.
std::string unavailable();

}  // namespace bellmark::sinks::cupti
