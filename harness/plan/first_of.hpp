// A graph with replacements for machines where it is missing.
#pragma once

#include <string>

namespace bellmark::plan {

/// The first available graph of `first-of: A | B | C`: a catalogued id or a file that is on the
/// disk, or a formula, which can always be made. If none is available, the last one. Any other text
/// stays unchanged. Throws InputError, with `where`, on an alternative without text.
std::string first_of(const std::string& graph, const std::string& where);

}  // namespace bellmark::plan
