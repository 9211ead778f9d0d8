// The answer to a client, and the refusal when there is no answer.
#pragma once

#include <exception>
#include <string>
#include <utility>

namespace bellmark::serve {

struct Request {
  std::string method;  ///< GET, POST
  std::string target;  ///< path and query, as sent
  std::string body;
};

struct Answer {
  unsigned status = 200;
  std::string type = "application/json";
  std::string body = {};
  int retry_after_seconds = 0;  ///< 0: not said
  bool is_cacheable = false;    ///< for a limited time
  std::string allowed = {};     ///< methods, of 405
};

/// Thrown when a request can't be answered; becomes JSON. `code` is a word for programs, `where` a
/// key of the request.
struct Refusal : std::exception {
  Refusal(unsigned refusal_status, std::string refusal_code, std::string refused,
          std::string refused_where, std::string what_to_do)
      : status(refusal_status),
        code(std::move(refusal_code)),
        reason(std::move(refused)),
        where(std::move(refused_where)),
        remedy(std::move(what_to_do)) {}
  const char* what() const noexcept override { return reason.c_str(); }

  unsigned status;
  std::string code;
  std::string reason;
  std::string where;
  std::string remedy;
};

/// 429 and 503 say when to try again.
Answer answer_of(const Refusal& refusal);

}  // namespace bellmark::serve
