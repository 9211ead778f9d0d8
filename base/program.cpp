#include "base/program.hpp"

#include <unistd.h>

#include <cstdlib>

#include "base/text.hpp"

namespace bellmark {

bool is_program(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

std::string find_program(const std::string& word) {
  if (word.find('/') != std::string::npos) return is_program(word) ? word : "";
  const char* path = std::getenv("PATH");
  for (const std::string& folder : split(path == nullptr ? "" : path, ':')) {
    const std::filesystem::path program = std::filesystem::path(folder) / word;
    if (is_program(program)) return program.string();
  }
  return {};
}

}  // namespace bellmark
