// Programs on this machine, found by a shell's rules.
#pragma once

#include <filesystem>
#include <string>

namespace bellmark {

/// True for a file that this process may execute.
bool is_program(const std::filesystem::path& path);

/// The path of `word` by a shell's rules: itself if it has a slash, else in a folder of PATH. "" if
/// there is none.
std::string find_program(const std::string& word);

}  // namespace bellmark
