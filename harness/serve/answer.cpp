#include "harness/serve/answer.hpp"

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "harness/run/protocol/json_text.hpp"
#include "harness/serve/limits.hpp"

namespace bellmark::serve {

Answer answer_of(const Refusal& refusal) {
  constexpr std::size_t kLongest = 1000;
  nlohmann::ordered_json error;
  error["code"] = refusal.code;
  error["what"] = printable(refusal.reason, kLongest);
  error["where"] = printable(refusal.where, kLongest);
  error["remedy"] = printable(refusal.remedy, kLongest);
  Answer answer;
  answer.status = refusal.status;
  answer.body = run::json_text(nlohmann::ordered_json{{"error", error}}) + "\n";
  if (refusal.status == 429 || refusal.status == 503) {
    answer.retry_after_seconds = kRetryAfterSeconds;
  }
  return answer;
}

}  // namespace bellmark::serve
