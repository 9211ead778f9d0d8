// Every sub-command registers itself with one function of the same shape.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace bellmark::cli {

/// Registers a sub-command. Its callback sets `exit_code`, or throws bellmark::Error.
void add_list(CLI::App& parent, int& exit_code);
void add_plan(CLI::App& parent, int& exit_code);
/// `argv` is stored with every result.
void add_run(CLI::App& parent, int& exit_code, const std::vector<std::string>& argv);
void add_resume(CLI::App& parent, int& exit_code);
void add_compare(CLI::App& parent, int& exit_code, const std::vector<std::string>& argv);
void add_tune(CLI::App& parent, int& exit_code, const std::vector<std::string>& argv);
void add_diagnose(CLI::App& parent, int& exit_code, const std::vector<std::string>& argv);
void add_spots(CLI::App& parent, int& exit_code);
void add_verdict(CLI::App& parent, int& exit_code);
void add_report(CLI::App& parent, int& exit_code);
void add_worker(CLI::App& parent, int& exit_code);

}  // namespace bellmark::cli
