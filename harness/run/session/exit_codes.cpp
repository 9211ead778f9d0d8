#include "harness/run/session/exit_codes.hpp"

#include <algorithm>
#include <string>

#include "harness/report/claims.hpp"

namespace bellmark::run {

ExitCode code_of(const Json& result) {
  std::vector<ExitCode> codes;
  const Json& not_measured = result.at("not_measured");
  std::size_t unmet = 0;
  for (const Json& entry : not_measured) {
    const auto& code = entry.at("code").get_ref<const std::string&>();
    if (code == "wrong-answer") codes.push_back(ExitCode::wrong_answer);
    if (code == "crash" || code == "timeout" || code == "interrupted") {
      codes.push_back(ExitCode::crash);
    }
    if (code == "unmet-need" || code == "not-built" || code == "bad-setting") ++unmet;
  }
  if (unmet == result.at("cells").size()) codes.push_back(ExitCode::all_unmet);
  return most_urgent(codes);
}

ExitCode most_urgent(const std::vector<ExitCode>& codes) {
  for (const ExitCode code :
       {ExitCode::interrupted, ExitCode::internal, ExitCode::machine, ExitCode::wrong_answer,
        ExitCode::crash, ExitCode::regression, ExitCode::inconclusive}) {
    if (std::ranges::find(codes, code) != codes.end()) return code;
  }
  const bool unmet = std::ranges::find(codes, ExitCode::all_unmet) != codes.end();
  const bool measured = std::ranges::find(codes, ExitCode::ok) != codes.end();
  return unmet && !measured ? ExitCode::all_unmet : ExitCode::ok;
}

ExitCode strict_code(const std::vector<Json>& results) {
  ExitCode code = ExitCode::ok;
  for (const report::ClaimRow& claim : report::merge_claims(results)) {
    if (claim.verdict == "not reproduced") return ExitCode::regression;
    if (claim.verdict == "inconclusive") code = ExitCode::inconclusive;
  }
  return code;
}

}  // namespace bellmark::run
