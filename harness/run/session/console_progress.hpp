// The progress of a run, on standard error.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/run/supervise/supervisor.hpp"

namespace bellmark::run {

/// A run's position among the runs of one command.
struct Among {
  std::size_t index = 1;  ///< from 1
  std::size_t count = 1;
  double own_s = 0;    ///< expected time of this run
  double later_s = 0;  ///< expected time of the runs after it
};

/// `34 s`, `6 min`, `2 h 5 min`.
std::string time_left_text(double seconds);

/// One line that is redrawn on a terminal and never wider than it. Elsewhere, a line for each timed
/// block and for each other pass.
class ConsoleProgress final : public Progress {
 public:
  ConsoleProgress(const plan::Plan& plan, bool quiet, const Among& among = {});
  ~ConsoleProgress() override;

  void replicate(const Task& task, std::size_t finished, std::size_t total,
                 std::optional<double> remaining_s) override;
  void estimate(const std::map<std::string, double>& query_ns) override;
  void problem(const std::string& text) override;

 private:
  void draw(const std::string& text);
  void clear();

  const plan::Plan& plan_;
  Among among_;
  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  std::string head_;
  std::optional<Pass> shown_pass_;
  std::size_t shown_block_ = 0;
  std::map<std::string, std::vector<double>> estimates_;
};

}  // namespace bellmark::run
