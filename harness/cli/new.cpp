// `bellmark new`: a commented start of an experiment, or of a paper's claims.
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

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "harness/cli/commands.hpp"

namespace bellmark::cli {
namespace {

namespace fs = std::filesystem;

/// `NAME` and `ITEM` stand for what the user calls them.
constexpr const char* kPaper = R"toml(# The paper, its machine, and where its text errs.
key = "NAME"
citation = "Author, Author: Title. Venue, year"
machine = "the machine of the paper's measurements"

errata = [
]

# A sentence for each claim, and in brackets the files that judge it.
[claims]
C1 = "A heap of arity 4 is faster than one of arity 2 (figure1)"
)toml";

constexpr const char* kExperiment =
    R"toml(# What is measured, and why. `bellmark plan` checks this file and shows its cells.
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
# What is measured in place of the paper's data, and whether the effect can show on it.
stand_in = { class = "smaller, effect can show", text = "a grid for the paper's maps" }
)toml";

constexpr const char* kClaim = R"toml(
# What the paper says. Its own figure, or range, judges: docs/explain/how-claims-are-judged.md.
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

std::string replaced(std::string text, const std::string& word, const std::string& value) {
  for (std::size_t at = text.find(word); at != std::string::npos;
       at = text.find(word, at + value.size())) {
    text.replace(at, word.size(), value);
  }
  return text;
}

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

/// Writes files, none of which may be there.
void write_new(const std::vector<std::pair<fs::path, std::string>>& files) {
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
  std::string text = replaced(replaced(kExperiment, "PAPER", ""), "NAME/ITEM", name);
  write_new({{file, std::move(text)}});
  std::cout << "next: bellmark plan " << file.string() << "; bellmark run " << file.string()
            << " --quick\n";
  return ExitCode::ok;
}

ExitCode new_paper(const std::string& name) {
  check_name(name);
  const fs::path folder = name;
  std::string experiment = replaced(kExperiment, "PAPER", kPaperKeys) + kClaim;
  experiment = replaced(replaced(experiment, "ITEM", "F1"), "NAME", name);
  write_new({{folder / "paper.toml", replaced(kPaper, "NAME", name)},
             {folder / "figure1.toml", std::move(experiment)}});
  std::cout << "next: bellmark plan " << name << "; bellmark run " << name << " --quick\n";
  return ExitCode::ok;
}

Command command_of(const std::string& name, const std::string& help, const std::string& example,
                   ExitCode (*make)(const std::string& name)) {
  return {name, help, "  bellmark new " + name + " " + example, [make](CLI::App& app) -> Action {
            const auto own = std::make_shared<std::string>();
            app.add_option("NAME", *own, "letters, digits, '-' and '_'")->required();
            return [make, own](const Argv&) { return make(*own); };
          }};
}

}  // namespace

Command new_command() {
  Command command{"new",
                  "write a commented start of an experiment, or of a paper's claims",
                  R"(
Nothing that is there is overwritten. experiments/README.md describes every key.

Examples:
  bellmark new experiment arity     arity.toml: a file that runs as it is
  bellmark new paper smith2024      smith2024/: its citation, and an experiment with a claim)",
                  {}};
  command.commands = {
      command_of("experiment", "one experiment, in NAME.toml", "arity", new_experiment),
      command_of("paper", "a paper: its citation and claims, and an experiment, in NAME/",
                 "smith2024", new_paper)};
  return command;
}

}  // namespace bellmark::cli
