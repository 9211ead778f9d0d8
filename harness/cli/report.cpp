// `bellmark report` and `bellmark verdict`: from stored results, measuring nothing.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/terminal.hpp"
#include "base/text.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/results.hpp"
#include "harness/report/claims.hpp"
#include "harness/report/console.hpp"
#include "harness/report/console_claims.hpp"
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
  std::vector<std::string> explained;  ///< claims, or `all`
  bool json = false;
  bool strict = false;
};

/// What is to be said of several results: each note once, with those that it is on.
class Notes {
 public:
  /// `text` follows "was" or "were".
  void add(const std::string& name, const std::string& text) { names_[text].insert(name); }

  void print() const {
    constexpr std::size_t kNamed = 3;
    for (const auto& [text, names] : names_) {
      std::vector<std::string> named(names.begin(), names.end());
      const std::size_t count = named.size();
      named.resize(std::min(count, kNamed));
      std::string list = join(named, ", ");
      if (count > kNamed) list += " and " + std::to_string(count - kNamed) + " more";
      std::cerr << "bellmark: " << escaped(list) << (count == 1 ? " was " : " were ") << text
                << "\n";
    }
  }

 private:
  std::map<std::string, std::set<std::string>> names_;
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
    const auto columns = terminal_columns(STDOUT_FILENO);
    for (const Json& result : results) {
      std::cout << report::console_result(result, said, columns) << "\n";
    }
    std::cout << report::console_legend(results, columns)
              << report::console_claims(results, plan::paper_sentences(), columns);
  } else {
    run::draw_report(flags.results, results, flags.output);
  }
}

/// The experiment that states a result's claims by the rules of this build: the named one, else the
/// result's own, or of a result from before these rules the one of its name. Nothing where none is
/// known; `notes` gets what is to be said of it.
std::optional<plan::Experiment> experiment_of(const Json& result, const std::string& named,
                                              Notes& notes) {
  if (!named.empty()) return plan::read_experiment(plan::find_experiments(named).front());
  const auto text = result.at("provenance").at("spec").get<std::string>();
  if (text.empty()) return std::nullopt;
  if (result.contains("rules")) {
    return plan::parse_experiment(text, "the result's own experiment");
  }
  const auto id = result.at("experiment").at("id").get<std::string>();
  const std::string older = "measured before these rules";
  const std::string left = ": verdicts are left as they are";
  try {
    plan::Experiment known = plan::read_experiment(plan::find_experiments(id).front());
    if (known.problem != result.at("experiment").at("problem").get<std::string>()) {
      notes.add(id, older + ", on another problem than the experiment's" + left);
      return std::nullopt;
    }
    notes.add(id, older + ": the claims are those of this build");
    return known;
  } catch (const InputError&) {
    notes.add(id, older + ", and no experiment has the name" + left);
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
Json judge_older(const plan::Experiment& known, const Json& result, Notes& notes) {
  Json verdicts = verdict::judge(known, result);
  if (std::ranges::none_of(verdicts, lacks_its_cells)) return verdicts;
  const plan::Experiment own =
      plan::parse_experiment(result.at("provenance").at("spec").get<std::string>(),
                             "the result's own experiment", plan::Rules::older);
  for (const Json& older : verdict::judge(own, result)) {
    for (Json& verdict : verdicts) {
      if (verdict.at("claim") != older.at("claim") || !lacks_its_cells(verdict)) continue;
      verdict = older;
      notes.add(known.id + ": " + older.at("claim").get<std::string>(),
                "judged by the result's own bounds: its cells are others");
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
  return "judged by " + rules_text(result.at("rules")) + " of the rules, this build judges by " +
         rules_text(verdict::rules_json());
}

/// The claims as the flags ask for them.
std::string claims_text(const VerdictFlags& flags, const std::vector<Json>& results) {
  if (flags.json) {
    return run::json_text(report::claims_document(flags.results, results, report::Results::named),
                          1) +
           "\n";
  }
  const auto columns = terminal_columns(STDOUT_FILENO);
  const report::Sentences sentences = plan::paper_sentences();
  const std::string text =
      flags.explained.empty()
          ? report::console_claims(results, sentences, columns)
          : report::explained_claims(results, sentences, flags.explained, columns);
  return text.empty() ? "no claims: nothing in these results is judged\n" : text;
}

/// Judges anew by the rules of this build.
ExitCode judge(const VerdictFlags& flags, std::vector<Json>& results) {
  Notes notes;
  for (Json& result : results) {
    if (const std::string note = other_rules_text(result); !note.empty()) {
      notes.add(result.at("experiment").at("id").get<std::string>(), note);
    }
    const auto experiment = experiment_of(result, flags.experiment, notes);
    if (!experiment) continue;
    const bool is_older = !result.contains("rules") && flags.experiment.empty();
    result["verdicts"] =
        is_older ? judge_older(*experiment, result, notes) : verdict::judge(*experiment, result);
  }
  // Before the notes: what is asked may be wrong.
  const std::string text = claims_text(flags, results);
  notes.print();
  std::cout << text;
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
          "  bellmark verdict --explain Y3 results/published/yasui2011\n"
          "  bellmark verdict --json runs/yasui2011 > verdicts.json",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<VerdictFlags>();
            app.add_option("result", flags->results,
                           "results (.json or .json.gz), or folders of finished runs and what is "
                           "below")
                ->required();
            app.add_option("-e,--experiment", flags->experiment,
                           "judge by this experiment's claims instead of the result's own");
            CLI::Option* const explain =
                app.add_option("--explain", flags->explained,
                               "all that is known of this claim (Y3 or yasui2011/Y3); `all` for "
                               "each; repeatable")
                    ->expected(1)
                    ->take_all()
                    ->allow_extra_args(false);
            app.add_flag("--json", flags->json,
                         "the merged claims as JSON, with every verdict "
                         "(harness/schema/verdicts.schema.json)")
                ->excludes(explain);
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
