#include "harness/serve/guarded.hpp"

#include <exception>
#include <new>
#include <string>

#include "algorithms/searches/served/stop.hpp"
#include "harness/serve/limits.hpp"

namespace bellmark::serve {
namespace {

Answer answer_or_refuse(const std::function<Answer()>& make) {
  try {
    Answer answer = make();
    if (answer.body.size() <= kMostAnswerBytes) return answer;
    throw Refusal(413, "answer-too-large",
                  "the answer would have " + std::to_string(answer.body.size()) + " bytes, and " +
                      std::to_string(kMostAnswerBytes) + " are allowed",
                  "", "ask for less: fewer events, limits or points");
  } catch (const Refusal& refusal) {
    return answer_of(refusal);
  } catch (const served::Stopped&) {
    return answer_of({503, "deadline", "the search took longer than a request may", "",
                      "ask for less, or again later"});
  } catch (const std::bad_alloc&) {
    return answer_of({503, "busy", "no memory for this request", "", "ask for less"});
  } catch (const std::exception& error) {
    return answer_of({500, "internal", error.what(), "", "report this with the request"});
  }
}

}  // namespace

Answer guarded(const std::function<Answer()>& make) noexcept {
  try {
    return answer_or_refuse(make);
  } catch (...) {  // not even memory for an error
    return {.status = 500};
  }
}

}  // namespace bellmark::serve
