#include "harness/run/session/drawing.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>
#include <string_view>

#include "base/child_process.hpp"
#include "base/error.hpp"
#include "base/installation.hpp"
#include "harness/report/claims.hpp"
#include "harness/run/protocol/json_text.hpp"
#include "harness/run/session/python.hpp"

namespace bellmark::run {
namespace {

/// A file in memory that a program reads `text` from.
Descriptor in_memory(std::string_view text) {
  Descriptor file(::memfd_create("bellmark-report", MFD_CLOEXEC));
  while (file.get() >= 0 && !text.empty()) {
    const ssize_t count = ::write(file.get(), text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  if (file.get() < 0 || !text.empty() || ::lseek(file.get(), 0, SEEK_SET) != 0) {
    throw MachineError("report", std::string("no memory for its data: ") + std::strerror(errno),
                       "free memory or name fewer results");
  }
  return file;
}

/// Has `script` draw `document` into `folder`; `name` stands in messages.
void draw(const std::string& name, const std::string& script,
          const nlohmann::ordered_json& document, const std::filesystem::path& folder) {
  const std::vector<std::string> words = {
      find_python(name, "matplotlib, jsonschema",
                  "apt-get install python3-matplotlib python3-jsonschema, or set BELLMARK_PYTHON"),
      find_script(name, script).string(), "-", "-o", folder.string()};
  const Descriptor data = in_memory(json_text(document));
  // The caller prints the script's findings: standard output is its own.
  const Descriptor unread(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  ChildOptions options;
  options.descriptors = {{STDIN_FILENO, data.get()}, {STDOUT_FILENO, unread.get()}};
  const ExitStatus status = run_program(words, options);
  if (!status.is_success()) {
    const bool by_machine = status.code() == static_cast<int>(ExitCode::machine);
    throw Error(by_machine ? ExitCode::machine : ExitCode::usage, name,
                (status.code() ? "drawing failed with " : "drawing was ") + status.text(),
                "see the message above");
  }
}

}  // namespace

void draw_report(const std::vector<std::string>& files,
                 const std::vector<nlohmann::ordered_json>& results,
                 const std::filesystem::path& folder) {
  draw("report", "analysis/report.py",
       report::claims_document(files, results, report::Results::whole), folder);
  std::cerr << installation().name << ": report in " << (folder / "report.html").string() << "\n";
}

void draw_site(const nlohmann::ordered_json& document, const std::filesystem::path& folder) {
  draw("site", "analysis/build_site.py", document, folder);
  std::cerr << installation().name << ": site in " << (folder / "index.html").string() << "\n";
}

}  // namespace bellmark::run
