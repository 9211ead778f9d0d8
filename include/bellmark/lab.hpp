// All headers of a lab: problems, variants, and their registration.
//
//   #include <bellmark/lab.hpp>
//
// docs/guide/your-own-lab.md begins at the beginning.
#pragma once

#include "algorithms/contract/kernel_problem.hpp"
#include "algorithms/contract/registry.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/installation.hpp"

namespace bellmark::detail {

/// Before anything of this file is registered.
[[maybe_unused]] static const bool headers_fit = require_headers("@BELLMARK_HEADERS@");

}  // namespace bellmark::detail
