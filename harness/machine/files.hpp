// Small system files (/proc, /sys, /etc) read below a root that tests can replace.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bellmark::machine {

/// The text of a file, or why there is none.
struct FileText {
  std::optional<std::string> text;
  std::string reason;
};

/// The folder that stands for "/".
class FileRoot {
 public:
  FileRoot() : FileRoot("/") {}
  explicit FileRoot(std::filesystem::path root) : root_(std::move(root)) {}

  /// Contents without leading and trailing blanks; `path` is absolute, e.g. `/proc/stat`.
  FileText read(std::string_view path) const;

  /// Sorted names in a folder; none when it can't be read.
  std::vector<std::string> list(std::string_view path) const;

  /// Why a file can't be written; "" when it can.
  std::string unwritable(std::string_view path) const;

  /// The real path of a file.
  std::string path(std::string_view path) const { return below(path).string(); }

 private:
  std::filesystem::path below(std::string_view path) const;

  std::filesystem::path root_;
};

/// The value of `key` in lines of `key : value` or `key=value` (first match), without quotes.
std::optional<std::string> field(std::string_view text, std::string_view key, char separator);

/// All of `text` as a number; nothing when it is not one.
std::optional<long long> to_integer(std::string_view text);
std::optional<double> to_real(std::string_view text);

/// The words of `text`, between blanks, tabs and line ends.
std::vector<std::string> words(std::string_view text);

}  // namespace bellmark::machine
