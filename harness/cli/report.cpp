// `bellmark report` and `bellmark verdict`: work on stored results, and measure nothing.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/terminal.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/help.hpp"
#include "harness/cli/judged.hpp"
#include "harness/cli/results.hpp"
#include "harness/plan/experiment.hpp"
#include "harness/report/claims.hpp"
#include "harness/report/console.hpp"
#include "harness/report/console_claims.hpp"
#include "harness/report/google_benchmark.hpp"
#include "harness/report/table.hpp"
#include "harness/run/protocol/json_text.hpp"
#include "harness/run/session/drawing.hpp"
#include "harness/run/session/exit_codes.hpp"

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

void make_report(const ReportFlags& flags, std::vector<Json>& results) {
  judge_anew(results).print();
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

/// The claims in the form that the flags ask for.
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

ExitCode judge(const VerdictFlags& flags, std::vector<Json>& results) {
  const Notes notes = judge_anew(results, flags.experiment);
  // Before the notes: the request may be wrong.
  const std::string text = claims_text(flags, results);
  notes.print();
  std::cout << text;
  return flags.strict ? run::strict_code(results) : ExitCode::ok;
}

}  // namespace

Command report_command() {
  return {
      "report", "Draw or print stored results",
      "  bellmark report runs/yasui2011 -o report\n"
      "  bellmark report -f csv result.json > cells.csv",
      [](CLI::App& app) -> Action {
        const auto flags = std::make_shared<ReportFlags>();
        app.add_option("result", flags->results,
                       "results (.json or .json.gz), or folders with results below them")
            ->required();
        CLI::Option* const output =
            app.add_option("-o,--output", flags->output, "folder for the HTML and Markdown report")
                ->capture_default_str();
        app.add_option("-f,--format", flags->format,
                       "html: with figures, into -o; to standard output: console, markdown, csv, "
                       "json (the data of html), gbench (medians as Google Benchmark's JSON)")
            ->check(one_of({"html", "console", "markdown", "csv", "json", "gbench"}))
            ->capture_default_str();
        return [flags, output](const Argv&) {
          if (output->count() > 0 && flags->format != "html") {
            throw InputError("-o " + flags->output,
                             "is for html, and " + flags->format + " goes to standard output",
                             "redirect it: bellmark report -f " + flags->format + " ... > FILE");
          }
          flags->results = named_results(flags->results);
          with_results(flags->results, [&](auto& results) { make_report(*flags, results); });
          return ExitCode::ok;
        };
      }};
}

Command verdict_command() {
  return {"verdict", "Judge the claims of stored results",
          "Of several results of an experiment the most faithful decides; a claim of several\n"
          "experiments takes the weakest verdict.\n"
          "Rules: docs/explain/how-claims-are-judged.md.\n\n"
          "  bellmark verdict results/published/yasui2011\n"
          "  bellmark verdict --explain Y3 results/published/yasui2011\n"
          "  bellmark verdict --json runs/yasui2011 > verdicts.json",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<VerdictFlags>();
            app.add_option("result", flags->results,
                           "results (.json or .json.gz), or folders with results below them")
                ->required();
            app.add_option("-e,--experiment", flags->experiment,
                           "judge by this experiment's claims instead of the result's own");
            CLI::Option* const explain =
                app.add_option(
                       "--explain", flags->explained,
                       "explain this claim (Y3 or yasui2011/Y3); `all` explains each; repeat it")
                    ->expected(1)
                    ->take_all()
                    ->allow_extra_args(false);
            app.add_flag("--json", flags->json,
                         "print the merged claims as JSON, with every verdict "
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
