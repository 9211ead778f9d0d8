// Programs on this machine, found as a shell finds them.
#pragma once

#include <filesystem>
#include <string>

namespace bellmark {

/// A file that this process may execute.
bool is_program(const std::filesystem::path& path);

/// Where a shell would find `word`: at that path if it has a slash, else in a folder of PATH. ""
/// when it would not.
std::string find_program(const std::string& word);

}  // namespace bellmark
