// Other people's programs in experiment files; experiments/README.md has the keys.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/external/program.hpp"
#include "harness/plan/toml_table.hpp"

namespace bellmark::plan {

/// The `[[program]]` tables of a file. Throws InputError.
std::vector<external::Program> read_programs(const Table& root, const std::string& origin);

/// Reads a file that holds only programs. Throws InputError.
std::vector<external::Program> read_program_file(const std::filesystem::path& file);

}  // namespace bellmark::plan
