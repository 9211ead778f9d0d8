// Fuzz target: a stored result, read, judged again and printed in every form.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "graph/fuzz_support.hpp"
#include "harness/cli/results.hpp"
#include "harness/plan/experiment.hpp"
#include "harness/report/claims.hpp"
#include "harness/report/console.hpp"
#include "harness/report/console_claims.hpp"
#include "harness/report/google_benchmark.hpp"
#include "harness/report/history.hpp"
#include "harness/report/table.hpp"
#include "harness/report/tidy.hpp"
#include "harness/run/result/stored.hpp"
#include "harness/verdict/diagnosis.hpp"
#include "harness/verdict/verdict.hpp"

namespace bellmark {
namespace {

void print(std::vector<cli::Json>& results) {
  std::set<std::string> said;
  const std::string console =
      report::console_result(results.front(), said, 60) + report::console_legend(results, 60);
  require(is_utf8(report::csv(results)), "CSV is UTF-8");
  require(is_utf8(report::markdown(results)), "Markdown is UTF-8");
  report::claims_document({"fuzz.json"}, results, report::Results::whole);
  for (const auto rows : {report::Rows::cells, report::Rows::samples, report::Rows::comparisons,
                          report::Rows::claims}) {
    report::for_each_row(results.front(), "fuzz.json", rows, [](const cli::Json& row) {
      require(std::ranges::none_of(row, [](const auto& value) { return value.is_structured(); }),
              "a row is flat");
    });
  }
  const auto entry = report::history_entry("fuzz.json", results.front());
  report::console_history(report::history_json({entry, entry}, 0), 60);
  report::google_benchmark(results);
  verdict::diagnose(results.front());
  const auto& spec = results.front().at("provenance").at("spec").get_ref<const std::string&>();
  if (spec.empty()) return;
  const plan::Experiment experiment = plan::parse_experiment(spec, "fuzz.toml");
  results.front()["verdicts"] = verdict::judge(experiment, results.front());
  const std::string claims = report::console_claims(results, {}, 60) +
                             report::explained_claims(results, {}, {"all"}, std::nullopt);
  require(is_utf8(console + claims), "what is printed is UTF-8");
}

}  // namespace
}  // namespace bellmark

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bellmark;
  try {
    std::vector<cli::Json> results = {
        run::result_of({reinterpret_cast<const char*>(data), size}, "fuzz.json")};
    print(results);
  } catch (const cli::Json::exception&) {
    // Commands report that the result is damaged (with_results()).
  } catch (const Error& error) {
    // A refusal is a good answer. Any other exception is a finding.
    require(error.code() != ExitCode::internal, "no internal error");
    require(is_utf8(error.what()), "a message is UTF-8");
  }
  return 0;
}
