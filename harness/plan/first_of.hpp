// A graph that is measured where it is here, and another one where it isn't.
#pragma once

#include <string>

namespace bellmark::plan {

/// Of `first-of: A | B | C` the first graph that is here: a catalogued id or a file that is on the
/// disk, or a formula, which can always be made. The last one where none is. Any other text stays
/// as it is. Throws InputError, with `where`, on an alternative without text.
std::string first_of(const std::string& graph, const std::string& where);

}  // namespace bellmark::plan
