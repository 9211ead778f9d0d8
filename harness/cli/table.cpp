// `bellmark table`: stored results as tidy rows.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <optional>

#include "base/atomic_file.hpp"
#include "base/child_process.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/help.hpp"
#include "harness/cli/results.hpp"
#include "harness/report/tidy.hpp"
#include "harness/report/tidy_csv.hpp"
#include "harness/run/protocol/json_text.hpp"
#include "harness/run/session/export_check.hpp"
#include "harness/run/session/python.hpp"

namespace bellmark::cli {
namespace {

using report::Rows;

struct TableFlags {
  std::vector<std::string> results;
  std::string format = "csv";
  std::string output;
  Rows rows = Rows::cells;
  bool is_long = false;
};

const std::map<std::string, Rows> kRows = {{"cells", Rows::cells},
                                           {"samples", Rows::samples},
                                           {"comparisons", Rows::comparisons},
                                           {"claims", Rows::claims}};

/// The beginning of each format's table: `-o` replaces a table of its own format, and never a
/// result by mistake.
const std::map<std::string, std::string_view> kBegin = {
    {"csv", "result,experiment,"}, {"jsonl", R"({"result":)"}, {"parquet", "PAR1"}};

/// The destination of lines: a file that appears whole or not at all, or standard output.
class Lines {
 public:
  explicit Lines(const std::string& file) {
    if (!file.empty()) file_.emplace(file);
  }
  void write(std::string_view text) {
    if (file_) {
      file_->write(text);
    } else {
      std::cout << text;
    }
  }
  void commit() {
    if (file_) file_->commit();
  }

 private:
  std::optional<AtomicFile> file_;
};

void each_row(const TableFlags& flags, const std::function<void(const Json&)>& use) {
  for_each_result(flags.results, [&](const std::string& path, const Json& result) {
    report::for_each_row(result, path, flags.rows, use);
  });
}

void write_csv(const TableFlags& flags) {
  Lines lines(flags.output);
  report::TidyCsv csv;
  each_row(flags, [&](const Json& row) { csv.add(row); });
  csv.write([&](std::string_view line) { lines.write(line); });
  lines.commit();
}

void write_json_lines(const TableFlags& flags) {
  Lines lines(flags.output);
  each_row(flags, [&](const Json& row) { lines.write(run::json_text(row) + "\n"); });
  lines.commit();
}

/// The rows go to Python as JSON Lines.
void write_parquet(const TableFlags& flags) {
  const std::string python =
      run::find_python("table", "pandas, pyarrow",
                       "pip install pandas pyarrow, or set BELLMARK_PYTHON to a Python that has "
                       "them; --format csv and jsonl need none");
  const auto script = run::find_script("table", "python/bellmark/parquet.py");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> rows(std::tmpfile(), &std::fclose);
  bool whole = rows != nullptr;
  if (whole) {
    each_row(flags, [&](const Json& row) {
      const std::string line = run::json_text(row) + "\n";
      whole = std::fwrite(line.data(), 1, line.size(), rows.get()) == line.size() && whole;
    });
    whole = std::fflush(rows.get()) == 0 && whole;
  }
  if (!whole || ::lseek(::fileno(rows.get()), 0, SEEK_SET) != 0) {
    throw MachineError("table", "no temporary file for its rows",
                       "free space in the folder of temporary files, or name fewer results");
  }
  ChildOptions options;
  options.descriptors = {{STDIN_FILENO, ::fileno(rows.get())}};
  const char* const others = std::getenv("PYTHONPATH");
  options.environment = {{"PYTHONPATH", script.parent_path().parent_path().string() +
                                            (others == nullptr ? "" : std::string(":") + others)}};
  const ExitStatus status = run_program({python, "-m", "bellmark.parquet", flags.output}, options);
  if (!status.is_success()) {
    throw Error(
        status.code() == static_cast<int>(ExitCode::machine) ? ExitCode::machine : ExitCode::usage,
        "table", "writing Parquet ended with " + status.text(), "see the message above");
  }
}

void write_table(const TableFlags& flags) {
  run::check_export(flags.output, kBegin.at(flags.format));
  if (flags.format == "parquet") {
    if (flags.output.empty()) {
      throw InputError("table", "Parquet is not for standard output", "name a file with -o");
    }
    write_parquet(flags);
  } else if (flags.format == "jsonl") {
    write_json_lines(flags);
  } else {
    write_csv(flags);
  }
}

}  // namespace

Command table_command() {
  return {
      "table", "Write stored results as rows for pandas, R or a spreadsheet",
      "One row a cell, with a column each for axes, parameters, phases, counters, memory, work\n"
      "and the machine. What was not measured is empty, with the reason in a column.\n"
      "Columns: docs/guide/tidy-data.md.\n\n"
      "  bellmark table runs/yasui2011 > cells.csv\n"
      "  bellmark table results/published --long --format jsonl -o samples.jsonl\n"
      "  bellmark table runs --rows claims",
      [](CLI::App& app) -> Action {
        const auto flags = std::make_shared<TableFlags>();
        app.add_option("result", flags->results,
                       "results (.json or .json.gz), or folders with results below them")
            ->required();
        app.add_option("-f,--format", flags->format,
                       "csv, jsonl (JSON Lines) or parquet (needs Python with pyarrow)")
            ->check(one_of({"csv", "jsonl", "parquet"}))
            ->capture_default_str();
        app.add_option("-o,--output", flags->output, "file to write in place of standard output");
        CLI::Option* const rows =
            app.add_option("--rows", flags->rows,
                           "subject of a row: cells, samples (or their "
                           "queries), comparisons or claims [cells]")
                ->transform(CLI::CheckedTransformer(kRows))
                ->transform(one_of({"cells", "samples", "comparisons", "claims"}));
        app.add_flag("--long", flags->is_long, "the same as --rows samples")->excludes(rows);
        return [flags](const Argv&) {
          if (flags->is_long) flags->rows = Rows::samples;
          flags->results = named_results(flags->results);
          write_table(*flags);
          return ExitCode::ok;
        };
      }};
}

}  // namespace bellmark::cli
