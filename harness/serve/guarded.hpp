// Whatever goes wrong with a request becomes an answer.
#pragma once

#include <functional>

#include "harness/serve/answer.hpp"

namespace bellmark::serve {

/// The answer that `make` gives, or what is said of its failure; an answer that is too large is
/// refused. Throws nothing.
Answer guarded(const std::function<Answer()>& make) noexcept;

}  // namespace bellmark::serve
