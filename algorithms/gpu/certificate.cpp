#include "algorithms/gpu/certificate.hpp"

#include <limits>

namespace bellmark::gpu {

std::string failed_text(FailedChecks failed) {
  std::string text;
  for (unsigned check = 1; check <= std::numeric_limits<FailedChecks>::digits; ++check) {
    if ((failed & check_bit(check)) == 0) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(check);
  }
  return text;
}

}  // namespace bellmark::gpu
