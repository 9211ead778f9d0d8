#include "harness/builds/builds.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>

#include "base/error.hpp"
#include "base/program.hpp"
#include "base/text.hpp"
#include "harness/builds/revision.hpp"
#include "harness/run/supervise/build_probe.hpp"

namespace bellmark::builds {
namespace {

namespace fs = std::filesystem;
using plan::Json;

void say(const std::string& text) { std::cerr << escaped(text) << "\n"; }

/// A build's program, from the name of a folder or of the program itself.
std::string program_in(const std::string& name) {
  const fs::path path = fs::is_directory(name) ? fs::path(name) / "bellmark" : fs::path(name);
  if (!is_program(path)) {
    throw InputError("--build " + name, "there is no program " + path.string(),
                     "name a folder in which `bellmark` was built");
  }
  return fs::absolute(path).lexically_normal().string();
}

/// A name of its own for each build, because values of an axis differ. The same build may be named
/// twice, to see the noise.
std::string name_of(const std::string& name, const std::vector<plan::Build>& known) {
  std::string unique = name;
  for (std::size_t count = 2; std::ranges::find(known, unique, &plan::Build::name) != known.end();
       ++count) {
    unique = name + " (" + std::to_string(count) + ")";
  }
  return unique;
}

/// The sources of a build. For a revision, git knows the commit if the build doesn't tell it.
Json facts_of(const plan::Build& build, const std::optional<Revision>& revision) {
  Json facts = run::ask_build(build);
  if (!facts.is_object()) facts = {{"git_sha", nullptr}, {"git_dirty", nullptr}};
  for (const char* key : {"git_sha", "git_dirty"}) {
    if (!facts.contains(key)) facts[key] = nullptr;
  }
  if (revision && facts["git_sha"].is_null()) {
    facts["git_sha"] = revision->commit;
    facts["git_dirty"] = false;
  } else if (revision && facts["git_sha"] != revision->commit) {
    throw InputError("revision " + revision->name,
                     "its build says that it is of another commit, " + facts["git_sha"].dump(),
                     "remove " + fs::path(build.program).parent_path().parent_path().string());
  }
  if (facts["git_dirty"] == true) {
    say("build " + build.name +
        ": was made from changed files, so its commit does not identify it");
  }
  return facts;
}

}  // namespace

Found find_builds(const std::vector<Wanted>& wanted, const std::vector<std::string>& cmake_flags) {
  if (wanted.size() < 2) {
    throw InputError("compare", "has only one build", "name a second with --build or --revision");
  }
  std::vector<std::optional<Revision>> revisions(wanted.size());
  std::vector<std::string> programs(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].kind == Wanted::Kind::revision) {
      revisions[i] = find_revision(wanted[i].name);
    } else {
      programs[i] = program_in(wanted[i].name);
    }
  }
  const auto first =
      std::ranges::find_if(revisions, [](const auto& one) { return one.has_value(); });
  if (first != revisions.end() && has_local_changes((*first)->tree)) {
    say((*first)->tree.string() +
        ": has local changes, which no revision holds: HEAD is measured without them; build them, "
        "and name the folder with --build");
  }
  Found found;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    try {
      plan::Build build{name_of(wanted[i].name, found.builds), "", {}};
      build.program =
          revisions[i] ? build_revision(*revisions[i], cmake_flags).string() : programs[i];
      build.facts = facts_of(build, revisions[i]);
      found.builds.push_back(std::move(build));
    } catch (const InputError& error) {
      found.left_out = true;
      std::cerr << error.what() << "\n";
    }
  }
  if (found.builds.size() < 2) {
    throw InputError("compare", "fewer than two builds are left",
                     "see the reasons for the others above");
  }
  if (found.left_out) say("the baseline is " + found.builds.front().name);
  return found;
}

}  // namespace bellmark::builds
