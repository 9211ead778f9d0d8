#include "base/error.hpp"

#include "base/text.hpp"

namespace bellmark {

const std::vector<std::pair<ExitCode, std::string>>& exit_code_meanings() {
  static const std::vector<std::pair<ExitCode, std::string>> meanings = {
      {ExitCode::ok, "ok"},
      {ExitCode::internal, "internal error"},
      {ExitCode::usage, "usage or bad input; one line says what, where and what to do"},
      {ExitCode::wrong_answer, "a variant gave a wrong answer, or `certify` was given one"},
      {ExitCode::crash, "a cell crashed, ran out of memory, timed out or was interrupted"},
      {ExitCode::regression,
       "--strict: a claim is not reproduced, something got slower, or `replicate` differs"},
      {ExitCode::inconclusive, "--strict: a claim is inconclusive, or `replicate` can't tell"},
      {ExitCode::machine,
       "the machine failed: disk, memory, threads, permission, network or output"},
      {ExitCode::all_unmet, "no cell could be measured here, or none to compare with"},
      {ExitCode::interrupted, "interrupted; the run can be resumed"}};
  return meanings;
}

std::string Error::compose(std::string_view where, std::string_view what, std::string_view remedy) {
  constexpr std::size_t kLongest = 600;
  constexpr std::size_t kLongestRemedy = 2000;  // it may list what there is to choose from
  std::string text;
  if (!where.empty()) text.append(printable(where, kLongest)).append(": ");
  text.append(printable(what, kLongest));
  if (!remedy.empty()) text.append("; ").append(printable(remedy, kLongestRemedy));
  return text;
}

}  // namespace bellmark
