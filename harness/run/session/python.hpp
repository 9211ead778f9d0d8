// The Python programs that come with Bellmark: where they lie, and who runs them.
#pragma once

#include <filesystem>
#include <string>

namespace bellmark::run {

/// A Python 3 that has `modules` (`matplotlib, jsonschema`): the one that BELLMARK_PYTHON names, or
/// the first that is found. Throws InputError with `remedy` where none has them; `where` is what
/// needs it.
std::string find_python(const std::string& where, const std::string& modules,
                        const std::string& remedy);

/// The file of that name in the bundle or the source tree, as `analysis/report.py`. Throws
/// InputError; `where` is what needs it.
std::filesystem::path find_script(const std::string& where, const std::string& name);

}  // namespace bellmark::run
