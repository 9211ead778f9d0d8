// The files that `bellmark new` writes for users' labs: commented starts that build and run.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bellmark::cli {

/// Files to write: path and text.
using NewFiles = std::vector<std::pair<std::filesystem::path, std::string>>;

/// Words of a text, and their replacements.
using Words = std::vector<std::pair<std::string_view, std::string>>;

/// `text` with each of the words replaced, in one pass. If two words fit, the first of the list
/// counts.
std::string filled(std::string_view text, const Words& words);

/// A project in the folder NAME: its build, a problem NAME with two variants, an experiment with a
/// claim. Throws InputError on a name that does not begin with a letter, or that is a target of
/// CMake's.
NewFiles new_lab_files(const std::string& name);

/// NAME.hpp and a first variant, in the current folder. Throws InputError on a name that does not
/// begin with a letter.
NewFiles new_problem_files(const std::string& name);

/// PROBLEM_NAME.cpp for the problem in PROBLEM.hpp of the current folder. Throws InputError if
/// there is no such file.
NewFiles new_variant_files(const std::string& problem_and_name);

struct LabExperiment {
  std::string text;
  std::string claim;  ///< its claim, in a sentence; "" if there is only one variant
};

/// An experiment over the variants of this executable's first problem that takes no graphs. `paper`
/// is its key of that name, or "". Throws InputError if there is no variant.
LabExperiment lab_experiment(const std::string& id, const std::string& paper);

}  // namespace bellmark::cli
