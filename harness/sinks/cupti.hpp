// CUPTI, NVIDIA's profiling library. It is opened at run time, so that nothing is linked to it. Its
// errors get words with a remedy.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bellmark::sinks::cupti {

/// A CUPTI or driver call that failed. It never leaves a sink: it becomes a reason.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// `call: text (code)`, with the remedy if one is known.
std::string failure_text(std::string_view call, int code, std::string_view text);

/// The paths that libcupti may have, in order; only `given` ($BELLMARK_CUPTI) if it is not empty.
/// `root` is put before absolute folders that are listed, for tests.
std::vector<std::string> library_candidates(const std::string& given, const std::string& root = "");

/// Why this process can't use CUPTI at all (not built in, no library); "" when it can.
std::string unavailable();

}  // namespace bellmark::sinks::cupti
