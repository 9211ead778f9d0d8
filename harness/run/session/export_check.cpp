#include "harness/run/session/export_check.hpp"

#include <system_error>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/input.hpp"

namespace bellmark::run {

void check_export(const std::string& file,
                  const std::function<bool(const std::filesystem::path&)>& is_export) {
  if (file.empty()) return;
  const AtomicFile probe(file);
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored) || std::filesystem::is_empty(file, ignored)) return;
  if (is_export(file)) return;
  throw InputError(file, "exists, and is not an earlier export of this kind",
                   "name another file, or remove it");
}

void check_export(const std::string& file, std::string_view beginning) {
  check_export(file, [&](const std::filesystem::path& path) {
    return read_beginning(path, beginning.size()) == beginning;
  });
}

}  // namespace bellmark::run
