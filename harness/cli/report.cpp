// `bellmark report` and `bellmark verdict`: from stored results, measuring nothing.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/results.hpp"
#include "harness/report/claims.hpp"
#include "harness/report/console.hpp"
#include "harness/report/google_benchmark.hpp"
#include "harness/report/table.hpp"
#include "harness/run/protocol/json_text.hpp"
#include "harness/run/result/stored.hpp"
#include "harness/run/session/drawing.hpp"
#include "harness/run/session/exit_codes.hpp"
#include "harness/verdict/rules_version.hpp"
#include "harness/verdict/verdict.hpp"

namespace bellmark::cli {
namespace {

struct ReportFlags {
  std::vector<std::string> results;
  std::string output = "report";
  std::string format = "html";
};

struct VerdictFlags {
  std::vector<std::string> results;
  std::string experiment;
  bool json = false;
  bool strict = false;
};

void make_report(const ReportFlags& flags, const std::vector<Json>& results) {
  if (flags.format == "csv") {
    std::cout << report::csv(results);
  } else if (flags.format == "markdown") {
    std::cout << report::markdown(results);
  } else if (flags.format == "json") {
    std::cout << run::json_text(
                     report::claims_document(flags.results, results, report::Results::whole))
              << "\n";
  } else if (flags.format == "gbench") {
    std::cout << run::json_text(report::google_benchmark(results), 2) << "\n";
  } else if (flags.format == "console") {
    std::set<std::string> said;
    for (const Json& result : results) std::cout << report::console_result(result, said) << "\n";
    std::cout << report::console_legend(results) << report::console_claims(results);
  } else {
    run::draw_report(flags.results, results, flags.output);
  }
}

/// The experiment that states a result's claims by the rules of this build: the named one, else the
/// result's own, or of a result from before these rules the one of its name. Nothing where none is
/// known; `notes` gets what is to be said of it.
std::optional<plan::Experiment> experiment_of(const Json& result, const std::string& named,
                                              std::vector<std::string>& notes) {
  if (!named.empty()) return plan::read_experiment(plan::find_experiments(named).front());
  const auto text = result.at("provenance").at("spec").get<std::string>();
  if (text.empty()) return std::nullopt;
  if (result.contains("rules")) {
    return plan::parse_experiment(text, "the result's own experiment");
  }
  const auto id = result.at("experiment").at("id").get<std::string>();
  try {
    plan::Experiment known = plan::read_experiment(plan::find_experiments(id).front());
    if (known.problem != result.at("experiment").at("problem").get<std::string>()) {
      notes.push_back(id + " was measured before these rules, on another problem than the " +
                      "experiment's: its verdicts are left as they are");
      return std::nullopt;
    }
    notes.push_back(id + " was measured before these rules: its claims are those of this build");
    return known;
  } catch (const InputError&) {
    notes.push_back(id +
                    " was measured before these rules, and no experiment has its name: its "
                    "verdicts are left as they are");
    return std::nullopt;
  }
}

/// Whether none of a verdict's cells is in the result: the claim was rewritten for others.
bool lacks_its_cells(const Json& verdict) {
  return std::ranges::all_of(verdict.at("parts"), [](const Json& part) {
    return part.at("verdict") == verdict::kShown || part.at("measured").empty();
  });
}

/// The verdicts of a result from before these rules: by the claims of this build, or by its own
/// where those speak of other cells.
Json judge_older(const plan::Experiment& known, const Json& result,
                 std::vector<std::string>& notes) {
  Json verdicts = verdict::judge(known, result);
  if (std::ranges::none_of(verdicts, lacks_its_cells)) return verdicts;
  const plan::Experiment own =
      plan::parse_experiment(result.at("provenance").at("spec").get<std::string>(),
                             "the result's own experiment", plan::Rules::older);
  for (const Json& older : verdict::judge(own, result)) {
    for (Json& verdict : verdicts) {
      if (verdict.at("claim") != older.at("claim") || !lacks_its_cells(verdict)) continue;
      verdict = older;
      notes.push_back(known.id + ": " + older.at("claim").get<std::string>() +
                      " is judged by the result's own bounds: its cells are others");
    }
  }
  return verdicts;
}

/// `version 2 of 2026-11-24 (sha256 0123456789ab)`
std::string rules_text(const Json& rules) {
  constexpr std::size_t kDigits = 12;
  return "version " + rules.at("version").dump() + " of " + rules.at("date").get<std::string>() +
         " (sha256 " + rules.at("digest").get<std::string>().substr(0, kDigits) + ")";
}

/// Which rules judged a result, where they are not those of this build; "" of results without
/// rules, too.
std::string other_rules_text(const Json& result) {
  if (!result.contains("rules") || result.at("rules") == verdict::rules_json()) return {};
  return result.at("experiment").at("id").get<std::string>() + " was judged by " +
         rules_text(result.at("rules")) + " of the rules, this build judges by " +
         rules_text(verdict::rules_json());
}

/// Judges anew by the rules of this build.
ExitCode judge(const VerdictFlags& flags, std::vector<Json>& results) {
  std::vector<std::string> notes;
  for (Json& result : results) {
    if (const std::string note = other_rules_text(result); !note.empty()) notes.push_back(note);
    const auto experiment = experiment_of(result, flags.experiment, notes);
    if (!experiment) continue;
    const bool is_older = !result.contains("rules") && flags.experiment.empty();
    result["verdicts"] =
        is_older ? judge_older(*experiment, result, notes) : verdict::judge(*experiment, result);
  }
  for (const std::string& note : std::set<std::string>(notes.begin(), notes.end())) {
    std::cerr << "bellmark: " << note << "\n";
  }
  if (flags.json) {
    std::cout << run::json_text(
                     report::claims_document(flags.results, results, report::Results::named), 1)
              << "\n";
  } else {
    const std::string claims = report::console_claims(results);
    std::cout << (claims.empty() ? "no claims: nothing in these results is judged\n" : claims);
  }
  return flags.strict ? run::strict_code(results) : ExitCode::ok;
}

}  // namespace

Command report_command() {
  return {"report", "Draw or print stored results",
          "  bellmark report runs/yasui2011 -o report\n"
          "  bellmark report -f csv result.json > cells.csv",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<ReportFlags>();
            app.add_option("result", flags->results,
                           "results (.json or .json.gz), or folders of finished runs and what is "
                           "below")
                ->required();
            app.add_option("-o,--output", flags->output, "folder for the HTML and Markdown report")
                ->capture_default_str();
            app.add_option("-f,--format", flags->format,
                           "html (with figures, into -o), or to stdout: console, markdown, csv, "
                           "json (what html draws), gbench (medians as Google Benchmark's JSON)")
                ->check(CLI::IsMember({"html", "console", "markdown", "csv", "json", "gbench"}))
                ->capture_default_str();
            return [flags](const Argv&) {
              flags->results = named_results(flags->results);
              with_results(flags->results,
                           [&](const auto& results) { make_report(*flags, results); });
              return ExitCode::ok;
            };
          }};
}

Command verdict_command() {
  return {"verdict", "Judge claims from stored results",
          "Of several results of an experiment the most faithful decides; a claim of several\n"
          "experiments takes the weakest verdict.\n"
          "Rules: docs/explain/how-claims-are-judged.md.\n\n"
          "  bellmark verdict results/published/yasui2011\n"
          "  bellmark verdict --json runs/yasui2011 > verdicts.json",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<VerdictFlags>();
            app.add_option("result", flags->results,
                           "results (.json or .json.gz), or folders of finished runs and what is "
                           "below")
                ->required();
            app.add_option("-e,--experiment", flags->experiment,
                           "judge by this experiment's claims instead of the result's own");
            app.add_flag("--json", flags->json,
                         "the merged claims as JSON, with every verdict "
                         "(harness/schema/verdicts.schema.json)");
            app.add_flag("--strict", flags->strict,
                         "exit 5 if a claim is not reproduced, 6 if inconclusive");
            return [flags](const Argv&) {
              flags->results = named_results(flags->results);
              ExitCode code = ExitCode::ok;
              with_results(flags->results, [&](auto& results) { code = judge(*flags, results); });
              return code;
            };
          }};
}

}  // namespace bellmark::cli
