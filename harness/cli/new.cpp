// `bellmark new`: a commented start of a lab and its parts, of an experiment, or of a paper's
// claims.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/installation.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/new_lab.hpp"

namespace bellmark::cli {
namespace {

namespace fs = std::filesystem;

/// `NAME` and `ITEM` stand for the user's names.
constexpr const char* kPaper = R"toml(# The paper, its machine, and the errors of its text.
key = "NAME"
citation = "Author, Author: Title. Venue, year"
machine = "the machine of the paper's measurements"

errata = [
]

# A sentence for each claim, and in brackets the files that judge it.
[claims]
CLAIMS)toml";

constexpr const char* kArityClaim = "A heap of arity 4 is faster than one of arity 2";

constexpr const char* kExperiment =
    R"toml(# The measured cells. `bellmark plan` checks this file and shows them.
id = "NAME/ITEM"
title = "Arity of the heap"
PAPERvariants = ["sssp/dijkstra:arity={arity}"]

# Sources, drawn with a seed: the same in every run.
[workload]
problem = "sssp"
queries = { kind = "uniform-sources", count = 16, seed = 42 }

# A cell for each variant at each point of the axes. `{arity}` takes the axis's value.
[axes]
graph = ["grid:rows=256,columns=256,lengths=uniform:1..1000,seed=1"]
arity = [2, 4]

[run]
placement = "core:0"
baseline = { arity = 2 }

# `run --quick` measures less.
[quick]
query_count = 4

[figure]
kind = "bars"
x = "arity"
)toml";

constexpr const char* kPaperKeys = R"toml(paper = { key = "NAME", item = "Figure 1" }
# The replacement for the paper's data, and whether the effect can show on it.
stand_in = { class = "smaller, effect can show", text = "a grid for the paper's maps" }
)toml";

constexpr const char* kLabPaperKeys = R"toml(paper = { key = "NAME", item = "Figure 1" }
# The replacement for the paper's data, and whether the effect can show on it.
stand_in = { class = "smaller, effect can show", text = "an input of ours for the paper's" }
)toml";

constexpr const char* kClaim = R"toml(
# A claim of the paper. Its own figure, or range, judges: docs/explain/how-claims-are-judged.md.
[[claim]]
id = "C1"
kind = "ratio"
about = "work"
sentence = "The paper's own sentence, in English"
text = "Arity 4 takes 0.9 of the time of arity 2"
numerator = { arity = 4 }
denominator = { arity = 2 }
paper = { value = 0.9, read_from = "figure" }
)toml";

bool has_graphs() { return Registry::global().takes_graphs(); }

/// Names become folders, ids and TOML strings.
void check_name(const std::string& name) {
  const bool is_plain = std::ranges::all_of(
      name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; });
  if (!name.empty() && is_plain) return;
  throw InputError("new", "'" + name + "' can't be a name", "use letters, digits, '-' and '_'");
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) return;
  throw MachineError(folder.string(), error.message(), "name a folder that can be written");
}

/// Writes files, none of which may exist.
void write_new(const NewFiles& files) {
  for (const auto& [path, text] : files) {
    if (!fs::exists(fs::symlink_status(path))) continue;
    throw InputError(path.string(), "is there already", "name another, or move it away");
  }
  for (const auto& [path, text] : files) {
    if (path.has_parent_path()) make_folder(path.parent_path());
    AtomicFile file(path);
    file.write(text);
    file.commit();
    std::cout << path.string() << "\n";
  }
}

ExitCode new_experiment(const std::string& name) {
  check_name(name);
  const fs::path file = name + ".toml";
  std::string text = has_graphs() ? filled(kExperiment, {{"PAPER", ""}, {"NAME/ITEM", name}})
                                  : lab_experiment(name, "").text;
  write_new({{file, std::move(text)}});
  std::cout << in_own_name("next: bellmark plan " + file.string() + "; bellmark run " +
                           file.string() + " --quick\n");
  return ExitCode::ok;
}

ExitCode new_paper(const std::string& name) {
  check_name(name);
  const fs::path folder = name;
  const auto with_name = [&](const char* text) { return filled(text, {{"NAME", name}}); };
  LabExperiment experiment;
  if (has_graphs()) {
    experiment.text = filled(std::string(kExperiment) + kClaim,
                             {{"PAPER", with_name(kPaperKeys)}, {"NAME", name}, {"ITEM", "F1"}});
    experiment.claim = kArityClaim;
  } else {
    experiment = lab_experiment(name + "/F1", with_name(kLabPaperKeys));
  }
  const std::string claims =
      experiment.claim.empty() ? "" : "C1 = \"" + experiment.claim + " (figure1)\"\n";
  write_new({{folder / "paper.toml", filled(kPaper, {{"NAME", name}, {"CLAIMS", claims}})},
             {folder / "figure1.toml", experiment.text}});
  std::cout << in_own_name("next: bellmark plan " + name + "; bellmark run " + name + " --quick\n");
  return ExitCode::ok;
}

ExitCode new_lab(const std::string& name) {
  check_name(name);
  write_new(new_lab_files(name));
  const std::string build = name + "/build";
  std::cout << "next: cmake -S " << name << " -B " << build << " && cmake --build " << build << "; "
            << build << "/" << name << " run " << name << "/first.toml --quick\n";
  return ExitCode::ok;
}

ExitCode new_problem(const std::string& name) {
  check_name(name);
  write_new(new_problem_files(name));
  std::cout << "next: write the problem, build the lab, and look: build/LAB list\n";
  return ExitCode::ok;
}

ExitCode new_variant(const std::string& name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos) {
    throw InputError("new", "'" + name + "' names no problem", "write PROBLEM/NAME: sums/mine");
  }
  check_name(name.substr(0, slash));
  check_name(name.substr(slash + 1));
  write_new(new_variant_files(name));
  std::cout << "next: write its run(), build the lab, and compare it with another\n";
  return ExitCode::ok;
}

Command command_of(const std::string& name, const std::string& help, const std::string& example,
                   ExitCode (*make)(const std::string& name)) {
  return {name, help, "  bellmark new " + name + " " + example,
          [make, name](CLI::App& app) -> Action {
            const auto own = std::make_shared<std::string>();
            app.add_option(name == "variant" ? "PROBLEM/NAME" : "NAME", *own,
                           "letters, digits, '-' and '_'")
                ->required();
            return [make, own](const Argv&) { return make(*own); };
          }};
}

}  // namespace

Command new_command() {
  Command command{
      "new",
      "Write a commented start of a lab, a problem, a variant, an experiment or a paper",
      R"(
Nothing that is there is overwritten. experiments/README.md describes every key of experiments,
docs/guide/your-own-lab.md labs: kernels of your own, in a project of your own.

  bellmark new lab sums             sums/: a project that builds, runs and has a verdict
  bellmark new problem dots         dots.hpp and a first variant, in a lab's folder
  bellmark new variant dots/mine    dots_mine.cpp: another one
  bellmark new experiment arity     arity.toml: a file that runs as it is
  bellmark new paper smith2024      smith2024/: its citation, and an experiment with a claim)",
      {}};
  command.commands = {
      command_of("lab",
                 "Write a project of your own into NAME/: a problem, two variants, an experiment",
                 "sums", new_lab),
      command_of("problem", "Write a problem of a lab into NAME.hpp, with a first variant", "dots",
                 new_problem),
      command_of("variant", "Write a variant of a lab's problem into PROBLEM_NAME.cpp", "dots/mine",
                 new_variant),
      command_of("experiment", "Write one experiment into NAME.toml", "arity", new_experiment),
      command_of("paper", "Write the citation and claims of a paper into NAME/, with an experiment",
                 "smith2024", new_paper)};
  return command;
}

}  // namespace bellmark::cli
