// Small system files (/proc, /sys, /etc) read below a root that tests can replace.
#include "harness/machine/files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/text.hpp"

namespace bellmark::machine {
namespace {

template <class T>
std::optional<T> to_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::filesystem::path FileRoot::below(std::string_view path) const {
  return root_ / std::filesystem::path(path).relative_path();
}

FileText FileRoot::read(std::string_view path) const {
  std::ifstream file(below(path));
  if (!file) {
    std::error_code ignored;
    const bool exists = std::filesystem::exists(below(path), ignored);
    return {std::nullopt, std::string(path) + (exists ? " cannot be read" : " does not exist")};
  }
  std::ostringstream contents;
  contents << file.rdbuf();
  // Some entries of /sys open but then refuse to be read.
  if (file.bad()) return {std::nullopt, std::string(path) + " cannot be read"};
  return {std::string(trim(contents.str())), ""};
}

std::string FileRoot::unwritable(std::string_view path) const {
  if (access(below(path).c_str(), W_OK) == 0) return {};
  return std::string(path) + " cannot be written: " + std::strerror(errno);
}

std::vector<std::string> FileRoot::list(std::string_view path) const {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(below(path), error), end; !error && entry != end;
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<std::string> field(std::string_view text, std::string_view key, char separator) {
  for (const std::string& line : split(text, '\n')) {
    const std::size_t at = line.find(separator);
    if (at == std::string::npos || trim(std::string_view(line).substr(0, at)) != key) continue;
    std::string_view value = trim(std::string_view(line).substr(at + 1));
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
      value = value.substr(1, value.size() - 2);
    }
    return std::string(value);
  }
  return std::nullopt;
}

std::optional<long long> to_integer(std::string_view text) { return to_number<long long>(text); }
std::optional<double> to_real(std::string_view text) { return to_number<double>(text); }

std::vector<std::string> words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> found;
  for (std::string word; stream >> word;) found.push_back(std::move(word));
  return found;
}

}  // namespace bellmark::machine
