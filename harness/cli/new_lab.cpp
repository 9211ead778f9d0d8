#include "harness/cli/new_lab.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "algorithms/contract/registry.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark::cli {
namespace {

namespace fs = std::filesystem;

// `NAME` is the user's name, `TYPE` its form as a type of C++, `PROBLEM` the problem's name,
// `RELEASE` the version of Bellmark without its last number. C++ stands in literals without `cpp`,
// which clang-format would reformat.

constexpr const char* kBuild =
    R"cmake(# cmake -S . -B build -G Ninja -DCMAKE_PREFIX_PATH=FOLDER   (where Bellmark is installed)
# cmake --build build
# build/NAME list
cmake_minimum_required(VERSION 3.22)
project(NAME LANGUAGES CXX)

find_package(Bellmark RELEASE REQUIRED)
bellmark_find_cuda()  # with nvcc, files in CUDA (.cu) are compiled, too

# Each file holds a variant: a new one is found by itself.
file(GLOB sources CONFIGURE_DEPENDS *.cpp *.cu)
bellmark_add_lab(NAME SOURCES ${sources})
)cmake";

constexpr const char* kProblem =
    R"text(// The problem `NAME`: the sum of numbers. Write your own in its place.
#pragma once

#include <bellmark/lab.hpp>
#include <cstddef>
#include <vector>

// The types are those of an input, and of an answer: a vector, or a number.
struct TYPE : bellmark::KernelProblem<TYPE, std::vector<double>, double> {
  static constexpr const char* kName = "NAME";
  // An answer may be off by this part of the largest right value. Without this line it must be
  // equal.
  static constexpr double kTolerance = 1e-12;

  // The keys of an input: `-i n=1000`, or the axis `input` of an experiment.
  static std::vector<bellmark::Key> keys() {
    return {bellmark::integer_key("n", 1000, 1, 100'000'000, "how many numbers")};
  }

  // The input of these keys: the same each time.
  static std::vector<double> make(const bellmark::Settings& settings) {
    std::vector<double> numbers(static_cast<std::size_t>(settings.integer("n")));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = 1 / static_cast<double>(i + 1);
    return numbers;
  }

  // The right answer, by plain code that shares nothing with the variants.
  static double expected(const std::vector<double>& numbers) {
    long double sum = 0;
    for (const double number : numbers) sum += number;
    return static_cast<double>(sum);
  }

  // The work of a run, for GB/s, operations/s and items/s.
  static bellmark::Work work(const std::vector<double>& numbers) {
    return {.bytes = numbers.size() * sizeof(double), .operations = numbers.size()};
  }
};
)text";

constexpr const char* kVariant = R"text(// PROBLEM/NAME: SUMMARY.
#include "PROBLEM.hpp"

namespace {

class TYPE {
 public:
  using Problem = PROBLEM_TYPE;

  // The text of `list`. Keys are declared here, too. They follow the name, as in
  // PROBLEM/NAME:block=8:
  //   description.keys = {bellmark::at_run_time(bellmark::integer_key("block", 8, 1, 64, "..."))};
  static bellmark::Description describe() {
    bellmark::Description description;
    description.name = "PROBLEM/NAME";
    description.summary = "SUMMARY";
    return description;
  }

  // Keys are read here: settings.integer("block").
  explicit TYPE(const bellmark::Settings&) {}

  // Not timed: your own layout of the input.
  void prepare(const Problem::Input& input, bellmark::RunContext&) { input_ = &input; }

  // Timed. A run that is too short for the clock is repeated many times in a row.
  void run(std::span<const Problem::Query>, bellmark::RunContext&) {
BODY
  }

  // Not timed: the answer of the last run.
  void extract(Problem::Answer& answer) const { answer = answer_; }

 private:
  const Problem::Input* input_ = nullptr;
  Problem::Answer answer_{};
};

BELLMARK_REGISTER(TYPE);

}  // namespace
)text";

constexpr const char* kOneSum = R"text(    double sum = 0;
    for (const double number : *input_) sum += number;
    answer_ = sum;)text";

constexpr const char* kFourSums = R"text(    double sums[4] = {};
    const std::size_t count = input_->size();
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
      for (std::size_t k = 0; k < 4; ++k) sums[k] += (*input_)[i + k];
    }
    for (; i < count; ++i) sums[0] += (*input_)[i];
    answer_ = sums[0] + sums[1] + sums[2] + sums[3];)text";

constexpr const char* kPlainWay =
    R"text(    // The problem's own plain way, so that this runs as it is. Write yours in its place.
    answer_ = Problem::expected(*input_);)text";

constexpr const char* kLabExperiment =
    R"toml(# The measured cells. `plan` checks this file and shows them.
id = "ID"
title = "TITLE"
PAPERvariants = ["{algorithm}"]

[workload]
problem = "PROBLEM"

# A cell for each point of the axes. `input` names inputs by their keys; without it, the default is
# measured. `{algorithm}` above takes this axis's value.
[axes]
algorithm = [ALGORITHMS]

[run]
placement = "core:0"
baseline = { algorithm = "FIRST" }
sample_count = 10

# `run --quick` measures less.
[quick]
sample_count = 3
seconds_per_process = 0.3

[figure]
kind = "bars"
x = "algorithm"
)toml";

constexpr const char* kLabClaim = R"toml(
# A claim, and the range in which the ratio of times should lie.
[[claim]]
id = "C1"
kind = "ratio"
about = "order"
text = "SECOND takes at most 0.9 of the time of FIRST"
numerator = { algorithm = "SECOND" }
denominator = { algorithm = "FIRST" }
paper = { low = 0.01, high = 0.9, read_from = "text" }
)toml";

/// `hash-tables` is `HashTables`.
std::string type_of(const std::string& name) {
  std::string type;
  bool begins = true;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
      begins = true;
      continue;
    }
    type += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = false;
  }
  return type;
}

/// A problem has members of these names, and a variant one called Problem.
std::string problem_type(const std::string& name) {
  static const std::set<std::string> kMembers = {"Answer", "Certificate", "Input", "Problem",
                                                 "Query"};
  const std::string type = type_of(name);
  return kMembers.contains(type) ? type + "Kernel" : type;
}

/// A variant's class may not have its problem's name, nor the name of its own member.
std::string variant_type(const std::string& problem, const std::string& name) {
  const std::string type = type_of(name);
  return type == problem_type(problem) || type == "Problem" ? type + "Variant" : type;
}

void check_type_name(const std::string& name) {
  if (std::isalpha(static_cast<unsigned char>(name.front())) != 0) return;
  throw InputError("new", "'" + name + "' can't be a name in C++", "begin it with a letter");
}

/// CMake has targets of these names.
void check_target_name(const std::string& name) {
  static const std::set<std::string> kTargets = {"all",        "clean",         "depend",
                                                 "edit_cache", "help",          "install",
                                                 "package",    "rebuild_cache", "test"};
  if (!kTargets.contains(name)) return;
  throw InputError("new", "'" + name + "' is a target of CMake's own", "take another name");
}

/// This version without its last number, as find_package() asks for it.
std::string release() {
  const std::string version = BELLMARK_VERSION;
  return version.substr(0, version.rfind('.'));
}

std::string problem_text(const std::string& name) {
  return filled(kProblem, {{"NAME", name}, {"TYPE", problem_type(name)}});
}

std::string variant_text(const std::string& problem, const std::string& name,
                         const std::string& summary, const std::string& body) {
  return filled(kVariant, {{"PROBLEM_TYPE", problem_type(problem)},
                           {"PROBLEM", problem},
                           {"NAME", name},
                           {"TYPE", variant_type(problem, name)},
                           {"SUMMARY", summary},
                           {"BODY", body}});
}

std::string experiment_text(const std::string& id, const std::string& title,
                            const std::string& paper, const std::string& problem,
                            const std::vector<std::string>& variants) {
  std::vector<std::string> quoted;
  quoted.reserve(variants.size());
  for (const std::string& variant : variants) quoted.push_back("\"" + variant + "\"");
  const std::string text = std::string(kLabExperiment) + (variants.size() > 1 ? kLabClaim : "");
  return filled(text, {{"PAPER", paper},
                       {"PROBLEM", problem},
                       {"TITLE", title},
                       {"ALGORITHMS", join(quoted, ", ")},
                       {"FIRST", variants.front()},
                       {"SECOND", variants.size() > 1 ? variants[1] : ""},
                       {"ID", id}});
}

}  // namespace

std::string filled(std::string_view text, const Words& words) {
  std::string result;
  while (!text.empty()) {
    const auto word =
        std::ranges::find_if(words, [&](const auto& each) { return text.starts_with(each.first); });
    if (word == words.end()) {
      result += text.front();
      text.remove_prefix(1);
    } else {
      result += word->second;
      text.remove_prefix(word->first.size());
    }
  }
  return result;
}

NewFiles new_lab_files(const std::string& name) {
  check_type_name(name);
  check_target_name(name);
  const fs::path folder = name;
  return {
      {folder / "CMakeLists.txt", filled(kBuild, {{"NAME", name}, {"RELEASE", release()}})},
      {folder / (name + ".hpp"), problem_text(name)},
      {folder / (name + "_plain.cpp"), variant_text(name, "plain", "one sum", kOneSum)},
      {folder / (name + "_four.cpp"), variant_text(name, "four", "four sums at once", kFourSums)},
      {folder / "first.toml", experiment_text(name + "/first", "One sum against four", "", name,
                                              {name + "/plain", name + "/four"})}};
}

NewFiles new_problem_files(const std::string& name) {
  check_type_name(name);
  return {{name + ".hpp", problem_text(name)},
          {name + "_plain.cpp", variant_text(name, "plain", "one sum", kOneSum)}};
}

NewFiles new_variant_files(const std::string& problem_and_name) {
  const std::size_t slash = problem_and_name.find('/');
  const std::string problem = problem_and_name.substr(0, slash);
  const std::string name = problem_and_name.substr(slash + 1);
  check_type_name(name);
  if (!fs::exists(problem + ".hpp")) {
    throw InputError(problem + ".hpp", "is not here",
                     "go to the folder with the problem's header, or write it: bellmark new "
                     "problem " +
                         problem);
  }
  return {{problem + "_" + name + ".cpp",
           variant_text(problem, name, "what it does, in a line", kPlainWay)}};
}

LabExperiment lab_experiment(const std::string& id, const std::string& paper) {
  std::string problem;
  std::vector<std::string> variants;
  for (const Family& family : Registry::global().families()) {
    if (!family.absence.empty()) continue;
    if (problem.empty()) problem = family.problem();
    if (family.problem() == problem) variants.push_back(family.name);
  }
  if (variants.empty()) {
    throw InputError("new", "this lab has no variants, and so nothing to measure",
                     "write one first: bellmark new problem NAME");
  }
  return {experiment_text(id, "Variants of " + problem, paper, problem, variants),
          variants.size() > 1 ? variants[1] + " is faster than " + variants[0] : ""};
}

}  // namespace bellmark::cli
