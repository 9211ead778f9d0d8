// What `bellmark new` writes for labs of users' own: commented starts that build and run.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bellmark::cli {

/// Files to be written: path and text.
using NewFiles = std::vector<std::pair<std::filesystem::path, std::string>>;

/// `text` with `value` in each place of `word`.
std::string replaced(std::string text, std::string_view word, std::string_view value);

/// A project in the folder NAME: its build, a problem NAME with two variants, an experiment with a
/// claim.
NewFiles new_lab_files(const std::string& name);

/// NAME.hpp and a first variant, in the current folder. Throws InputError on a name that begins
/// with a digit.
NewFiles new_problem_files(const std::string& name);

/// PROBLEM_NAME.cpp for the problem in PROBLEM.hpp of the current folder. Throws InputError where
/// there is none.
NewFiles new_variant_files(const std::string& problem_and_name);

/// An experiment over the variants of this executable's first problem, none of which takes graphs.
/// With a `paper` it has that key. Throws InputError where there is no variant.
std::string lab_experiment(const std::string& id, const std::string& paper);

}  // namespace bellmark::cli
