// Turns every failure of a request into an answer.
#pragma once

#include <functional>

#include "harness/serve/answer.hpp"

namespace bellmark::serve {

/// The answer of `make`, or the refusal for its failure. An answer that is too large is refused.
/// Throws nothing.
Answer guarded(const std::function<Answer()>& make) noexcept;

}  // namespace bellmark::serve
