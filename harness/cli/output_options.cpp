#include "harness/cli/output_options.hpp"

#include <CLI/CLI.hpp>

namespace bellmark::cli {

void add_output_options(CLI::App& app, run::Output& output, const char* strict_help) {
  app.add_option("--runs", output.runs, "folder for raw runs")->capture_default_str();
  app.add_option("--export-json", output.json,
                 "copy the result there (one experiment; compressed in a .gz)");
  app.add_option("--export-csv", output.csv, "write the cells there as CSV");
  app.add_option("--export-markdown", output.markdown, "write claims and cells there as Markdown");
  app.add_option(
      "--export-gbench", output.gbench,
      "write one row of medians for each cell there as Google Benchmark's JSON, for trackers");
  app.add_option("--report", output.report, "draw a report into this folder (needs Python)");
  app.add_flag("--strict", output.strict, strict_help);
  app.add_flag("-q,--quiet", output.quiet, "print no progress on stderr");
}

}  // namespace bellmark::cli
