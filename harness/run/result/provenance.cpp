#include "harness/run/result/provenance.hpp"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

#include "base/digest.hpp"
#include "base/text.hpp"
#include "harness/run/result/libraries.hpp"

namespace bellmark::run {
namespace {

std::optional<std::string> output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  if (!pipe) return std::nullopt;
  std::string text;
  std::array<char, 256> bytes;
  while (fgets(bytes.data(), bytes.size(), pipe.get()) != nullptr) text += bytes.data();
  return std::string(trim(text));
}

/// The commit that this program was built from, and whether files differed from it; null when
/// unknown. A bundle carries a file that says so; elsewhere the source tree is asked.
std::pair<Json, Json> revision() {
  constexpr std::size_t kShaSize = 40;
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  std::ifstream bundled(program.parent_path().parent_path() / "REVISION");
  std::string sha;
  std::string state;
  if (bundled >> sha >> state && sha.size() == kShaSize) return {sha, state != "clean"};
  const std::string git = "git -C '" BELLMARK_SOURCE_DIR "' ";
  const auto head = output_of(git + "rev-parse HEAD 2>/dev/null");
  if (!head || head->size() != kShaSize) return {Json(), Json()};
  const auto changes = output_of(git + "status --porcelain --untracked-files=no 2>/dev/null");
  return {*head, changes ? Json(!changes->empty()) : Json()};
}

}  // namespace

Json provenance_json(const plan::Plan& plan, const RunFolder& folder) {
  const auto [git_sha, git_dirty] = revision();
  return {{"version", BELLMARK_VERSION},
          {"git_sha", git_sha},
          {"git_dirty", git_dirty},
          {"compiler", BELLMARK_COMPILER},
          {"flags", BELLMARK_FLAGS},
          {"build_type", BELLMARK_BUILD_TYPE},
          {"libraries", library_versions()},
          {"argv", folder.argv},
          {"spec_digest", Digest().add(plan.experiment.text).hex()},
          {"spec", plan.experiment.text},
          {"seed", plan.experiment.queries.seed},
          {"started_utc", folder.started_utc},
          {"finished_utc", utc_now()}};
}

}  // namespace bellmark::run
