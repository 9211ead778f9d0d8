#include "harness/builds/revision.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>

#include "base/child_process.hpp"
#include "base/descriptor.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/program.hpp"
#include "base/text.hpp"

namespace bellmark::builds {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::size_t kShownDigits = 12;

/// The output of git, without its last line's end. Throws InputError with git's message.
std::string ask_git(const Words& words, const std::string& where, const std::string& remedy) {
  constexpr std::chrono::seconds kPatience(60);
  Words command = {"git"};
  command.insert(command.end(), words.begin(), words.end());
  const Captured asked = capture_output(command, kPatience);
  std::string said(trim(asked.output));
  if (!asked.status) throw InputError(where, "git says nothing for a minute", remedy);
  if (!asked.status->is_success()) throw InputError(where, "git says: " + said, remedy);
  return said;
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The folder for builds of revisions.
fs::path cache_folder() {
  if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty()) {
    return fs::path(cache) / "bellmark" / "revisions";
  }
  if (const std::string home = variable("HOME"); !home.empty()) {
    return fs::path(home) / ".cache" / "bellmark" / "revisions";
  }
  throw InputError("--revision", "there is no folder to build in",
                   "let XDG_CACHE_HOME name one that may be written");
}

/// A digest of all settings that decide the result of a commit: the flags, and CMake's environment.
std::string flags_digest(const Words& flags) {
  Digest digest;
  for (const std::string& flag : flags) digest.add(flag + "\n");
  for (const char* name : {"CC", "CXX", "CUDACXX", "CFLAGS", "CXXFLAGS", "CUDAFLAGS", "LDFLAGS"}) {
    digest.add(std::string(name) + "=" + variable(name) + "\n");
  }
  constexpr std::size_t kDigits = 8;
  return digest.hex().substr(0, kDigits);
}

/// A lock on the folder of a build. Another process waits for it.
Descriptor lock(const fs::path& file) {
  Descriptor descriptor(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (descriptor.get() < 0) {
    throw MachineError(file.string(), std::string("cannot be opened: ") + std::strerror(errno),
                       "let XDG_CACHE_HOME name a folder that may be written");
  }
  if (flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0) {
    std::cerr << "waiting for another process that builds in " << file.parent_path().string()
              << "\n";
    flock(descriptor.get(), LOCK_EX);  // without a lock if the file system has none
  }
  return descriptor;
}

/// One folder of the cache: a revision with certain flags.
class Folder {
 public:
  Folder(const Revision& revision, const Words& flags)
      : revision_(revision),
        flags_(flags),
        path_(cache_folder() /
              (revision.commit.substr(0, kShownDigits) + "-" + flags_digest(flags))) {
    std::error_code error;
    fs::create_directories(path_, error);
    if (error) {
      throw MachineError(path_.string(), "cannot be made: " + error.message(),
                         "let XDG_CACHE_HOME name a folder that may be written");
    }
  }

  fs::path built() {
    const Descriptor held = lock(path_ / "lock");
    fs::path program = path_ / "build" / "bellmark";
    const fs::path whole = path_ / "built";  // a program alone may be half written
    if (fs::exists(whole) && is_program(program)) return program;
    std::cerr << "building " << revision_.name << " (" << revision_.commit.substr(0, kShownDigits)
              << "), which takes minutes; log: " << log().string() << "\n";
    std::ofstream(log()).close();  // of this try alone
    check_out();
    configure();
    run({"cmake", "--build", (path_ / "build").string(), "--target", "bellmark"});
    if (!is_program(program)) throw failure("its build leaves no " + program.string());
    std::ofstream mark(whole);
    return program;
  }

 private:
  fs::path log() const { return path_ / "build.log"; }

  InputError failure(const std::string& what) const {
    return InputError(
        "revision " + revision_.name + " (" + revision_.commit.substr(0, kShownDigits) + ")",
        "does not build: " + what + "; its log is " + log().string(),
        "name another revision, or a finished build with --build");
  }

  void check_out() const {
    const fs::path source = path_ / "source";
    if (fs::exists(source / ".git")) return;  // an earlier try left it
    std::error_code ignored;
    fs::remove_all(source, ignored);
    // git remembers a work tree that somebody removed by hand.
    run({"git", "-C", revision_.tree.string(), "worktree", "prune"});
    run({"git", "-C", revision_.tree.string(), "worktree", "add", "--detach", source.string(),
         revision_.commit});
  }

  void configure() const {
    Words words = {"cmake",
                   "-S",
                   (path_ / "source").string(),
                   "-B",
                   (path_ / "build").string(),
                   "-DCMAKE_BUILD_TYPE=Release"};
    if (!find_program("ninja").empty()) words.insert(words.end(), {"-G", "Ninja"});
    words.insert(words.end(), flags_.begin(), flags_.end());
    run(words);
  }

  /// Prints the command, and runs it with its output in the log.
  void run(const Words& words) const {
    std::cerr << "  " << join(words, " ") << "\n";
    const Descriptor output(open(log().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    if (output.get() < 0) {
      throw MachineError(log().string(), std::string("cannot be opened: ") + std::strerror(errno),
                         "free space, or let XDG_CACHE_HOME name another folder");
    }
    ChildOptions options;
    options.descriptors = {{STDOUT_FILENO, output.get()}, {STDERR_FILENO, output.get()}};
    const ExitStatus status = run_program(words, options);
    if (!status.is_success()) throw failure(words.front() + " ended: " + status.text());
  }

  const Revision& revision_;
  const Words& flags_;
  fs::path path_;
};

}  // namespace

Revision find_revision(const std::string& name) {
  const fs::path tree = ask_git({"rev-parse", "--show-toplevel"}, "--revision " + name,
                                "go into a git tree of Bellmark");
  const std::string commit = ask_git(
      {"-C", tree.string(), "rev-parse", "--verify", "--end-of-options", name + "^{commit}"},
      "--revision " + name, "name a tag, a branch or a commit (see: git log --oneline)");
  return {name, commit, tree};
}

bool has_local_changes(const fs::path& tree) {
  return !ask_git({"-C", tree.string(), "status", "--porcelain", "--untracked-files=no"},
                  tree.string(), "look at it with git status")
              .empty();
}

fs::path build_revision(const Revision& revision, const Words& cmake_flags) {
  return Folder(revision, cmake_flags).built();
}

}  // namespace bellmark::builds
