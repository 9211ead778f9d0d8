// `bellmark doctor`: what on this machine disturbs a measurement, and how to fix it.
#include "harness/cli/doctor.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "harness/machine/doctor.hpp"
#include "harness/machine/topology.hpp"

namespace bellmark::cli {
namespace {

using machine::Finding;

void print_table(const std::vector<Finding>& findings) {
  constexpr int kNameWidth = 24;
  constexpr int kStateWidth = 15;
  for (const Finding& finding : findings) {
    std::cout << std::left << std::setw(kNameWidth) << finding.name << std::setw(kStateWidth)
              << machine::to_string(finding.state) << finding.observed << "\n";
  }
  const auto count = std::count_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.state == machine::State::warning;
  });
  std::cout << "\n" << count << (count == 1 ? " warning" : " warnings") << "\n";
  for (const Finding& finding : findings) {
    if (finding.state != machine::State::warning) continue;
    std::cout << "  " << finding.name << ": " << finding.why << ".\n    To do: " << finding.remedy
              << ".\n";
  }
}

void print_json(const std::vector<Finding>& findings) {
  nlohmann::json list = nlohmann::json::array();
  for (const Finding& finding : findings) list.push_back(machine::to_json(finding));
  std::cout << nlohmann::json{{"findings", std::move(list)}}.dump(2) << "\n";
}

}  // namespace

void add_doctor(CLI::App& parent, int& exit_code) {
  CLI::App* const command = parent.add_subcommand(
      "doctor", "Say what on this machine disturbs a measurement and how to fix it");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print JSON");
  command->footer(
      "Findings are advice: the exit code is 0 whatever they say.\n"
      "Examples:\n"
      "  bellmark doctor\n"
      "  bellmark doctor --json");
  command->callback([json, &exit_code] {
    const std::vector<Finding> findings = machine::examine(machine::Topology::this_machine());
    if (*json) {
      print_json(findings);
    } else {
      print_table(findings);
    }
    exit_code = static_cast<int>(ExitCode::ok);
  });
}

}  // namespace bellmark::cli
