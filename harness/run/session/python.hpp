// The Python programs that come with Bellmark, and the interpreter that runs them.
#pragma once

#include <filesystem>
#include <string>

namespace bellmark::run {

/// A Python 3 that has `modules` (`matplotlib, jsonschema`): the one that BELLMARK_PYTHON names, or
/// the first that is found. Throws InputError with `remedy` when none has them. `where` is the part
/// that needs it.
std::string find_python(const std::string& where, const std::string& modules,
                        const std::string& remedy);

/// The file of that name in the bundle or the source tree, such as `analysis/report.py`. Throws
/// InputError; `where` is the part that needs it.
std::filesystem::path find_script(const std::string& where, const std::string& name);

}  // namespace bellmark::run
