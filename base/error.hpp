// Errors with remedies for people, and exit codes for scripts.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bellmark {

/// Exit codes of every `bellmark` command (documented in docs/reference/exit-codes.md).
enum class ExitCode : int {
  ok = 0,
  internal = 1,
  usage = 2,          ///< usage or bad input
  wrong_answer = 3,   ///< a variant's answer failed its certificate
  crash = 4,          ///< a cell crashed, timed out or was interrupted
  regression = 5,     ///< --strict: a claim not reproduced, or a regression
  inconclusive = 6,   ///< --strict: no claim failed, but some are inconclusive
  machine = 7,        ///< the machine failed: disk, memory, permission
  all_unmet = 77,     ///< every cell has an unmet need
  interrupted = 130,  ///< SIGINT
};

/// The meaning of each code, for help and the reference, in ascending order.
const std::vector<std::pair<ExitCode, std::string>>& exit_code_meanings();

/// A fault, its place and its remedy in one line, never a stack of causes. `where` is `file:line`,
/// a path, or a key. `where` and `remedy` may be empty. All of them may hold any bytes: what() is
/// printable UTF-8, and the middle of a very long part is left out.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, std::string_view where, std::string_view what, std::string_view remedy = {})
      : std::runtime_error(compose(where, what, remedy)), code_(code) {}

  ExitCode code() const { return code_; }

 private:
  static std::string compose(std::string_view where, std::string_view what,
                             std::string_view remedy);

  ExitCode code_;
};

/// Bad input or usage (exit code 2).
class InputError : public Error {
 public:
  InputError(std::string_view where, std::string_view what, std::string_view remedy = {})
      : Error(ExitCode::usage, where, what, remedy) {}
};

/// The request can't be met here, and nobody is at fault: no device, or too little device memory.
/// The cell is left out with this reason (code `unmet-need`).
class UnmetError : public Error {
 public:
  UnmetError(std::string_view where, std::string_view what, std::string_view remedy = {})
      : Error(ExitCode::all_unmet, where, what, remedy) {}
};

/// The machine failed: no space, no permission, no memory (exit code 7).
class MachineError : public Error {
 public:
  MachineError(std::string_view where, std::string_view what, std::string_view remedy = {})
      : Error(ExitCode::machine, where, what, remedy) {}
};

}  // namespace bellmark
