// `bellmark doctor`: finds disturbances of measurements on this machine, and their remedies.
#include "harness/machine/doctor.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/commands.hpp"
#include "harness/machine/topology.hpp"
#include "harness/run/protocol/json_text.hpp"

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
  std::cout << run::json_text(nlohmann::json{{"findings", std::move(list)}}, 2) << "\n";
}

}  // namespace

Command doctor_command() {
  return {"doctor", "Find what disturbs measurements on this machine, and say how to fix it",
          "Findings are advice: the exit code is 0 whatever they say.\n"
          "\n  bellmark doctor\n"
          "  bellmark doctor --json",
          [](CLI::App& app) -> Action {
            const auto json = std::make_shared<bool>(false);
            app.add_flag("--json", *json, "print JSON");
            return [json](const Argv&) {
              const std::vector<Finding> findings =
                  machine::examine(machine::Topology::this_machine());
              *json ? print_json(findings) : print_table(findings);
              return ExitCode::ok;
            };
          }};
}

}  // namespace bellmark::cli
