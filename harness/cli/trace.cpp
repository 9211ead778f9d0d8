// `bellmark trace`: stored results as a trace that Perfetto and Chrome open.
#include "harness/report/trace.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/results.hpp"
#include "harness/run/protocol/json_text.hpp"
#include "harness/run/session/export_check.hpp"

namespace bellmark::cli {
namespace {

struct TraceFlags {
  std::vector<std::string> results;
  std::string output = "trace.json";
};

void check_output(const std::string& file) {
  if (file == "-") return;
  if (file.ends_with(".gz")) {
    throw InputError(file, "would not be compressed",
                     "write to standard output: -o - | gzip > " + file);
  }
  run::check_export(file, R"({"displayTimeUnit")");
}

ExitCode write_trace(const TraceFlags& flags) {
  check_output(flags.output);
  with_results(named_results(flags.results), [&](const std::vector<Json>& results) {
    const std::string text = run::json_text(report::trace(results)) + "\n";
    if (flags.output == "-") {
      std::cout << text;
      return;
    }
    AtomicFile file(flags.output);
    file.write(text);
    file.commit();
    std::cout << flags.output << ": open it at ui.perfetto.dev or chrome://tracing\n";
  });
  return ExitCode::ok;
}

}  // namespace

Command trace_command() {
  return {
      "trace", "Write phases, rounds, kernels, copies and ranks as a trace for Perfetto",
      "Each cell is a process, and each timed thing a track. A result holds durations, and not\n"
      "when they began: the slices of a track follow one another.\n\n"
      "  bellmark trace runs/yasui2011/T4 -o trace.json\n"
      "  bellmark trace result.json -o - | gzip > trace.json.gz",
      [](CLI::App& app) -> Action {
        const auto flags = std::make_shared<TraceFlags>();
        app.add_option("result", flags->results,
                       "results (.json or .json.gz), or folders with results below them")
            ->required();
        app.add_option("-o,--output", flags->output, "file to write, or - for standard output")
            ->capture_default_str();
        return [flags](const Argv&) { return write_trace(*flags); };
      }};
}

}  // namespace bellmark::cli
