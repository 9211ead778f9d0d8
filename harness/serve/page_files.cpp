#include "harness/serve/page_files.hpp"

#include <fstream>
#include <iterator>
#include <system_error>

#include "base/error.hpp"

namespace bellmark::serve {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::string>& types() {
  static const std::map<std::string, std::string> all = {
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".json", "application/json"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".ico", "image/x-icon"},
      {".woff2", "font/woff2"},
      {".txt", "text/plain; charset=utf-8"},
      {".webmanifest", "application/manifest+json"},
  };
  return all;
}

}  // namespace

PageFiles::PageFiles(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const auto type = types().find(entry.path().extension().string());
    if (type == types().end() || !entry.is_regular_file(ignored)) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    Answer answer{.type = type->second,
                  .body = {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}};
    if (!in) throw MachineError(entry.path().string(), "cannot be read", "check its permissions");
    files_["/" + entry.path().filename().string()] = std::move(answer);
  }
}

const Answer* PageFiles::find(const std::string& path) const {
  const auto found = files_.find(path == "/" ? "/index.html" : path);
  return found == files_.end() ? nullptr : &found->second;
}

fs::path page_folder() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& folder : {program / "map", program.parent_path() / "share/bellmark/map"}) {
    if (fs::is_regular_file(folder / "index.html", ignored)) return folder;
  }
  return {};
}

}  // namespace bellmark::serve
