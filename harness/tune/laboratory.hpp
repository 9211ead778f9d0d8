// Measures the steps of a tuning: each is an ordinary run in a folder of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "base/error.hpp"
#include "harness/plan/plan.hpp"
#include "harness/tune/objective.hpp"
#include "harness/tune/search.hpp"
#include "harness/tune/spec.hpp"
#include "harness/tune/time_model.hpp"

namespace bellmark::tune {

/// The request of a tuning.
struct Request {
  std::string variant;  ///< one
  std::string keys;     ///< with commas; "" for all that are declared tunable
  Strategy strategy = Strategy::ladder;
  Objective objective = Objective::time;
  std::string graph;
  std::string placement = "core:0";
  std::string budget = "5m";
  std::size_t queries = 16;
  std::int64_t seed = 42;
  std::string runs = "runs";
  std::string output;    ///< the tuned experiment; "" for a file beside the held-out result
  double timeout_s = 0;  ///< 0 for the usual ones
  machine::Pages pages = machine::Pages::huge;
  std::vector<external::Program> programs =
      {};  ///< other people's programs; the variant may be one
  bool force = false;
  bool quiet = false;
};

/// A candidate that takes this multiple of the default's time is cut after one query.
inline constexpr double kCutRatio = 20;

/// Runs the steps of one tuning, each an ordinary run in a folder of its own.
class Laboratory final : public Bench {
 public:
  /// `request`, `start` and `argv` must outlive it.
  Laboratory(const Request& request, Selection selection, const Settings& start,
             const std::vector<std::string>& argv);

  double left_s() const;
  std::size_t run_count() const { return run_count_; }
  const std::vector<ExitCode>& codes() const { return codes_; }
  const std::filesystem::path& last_result() const { return last_result_; }
  std::uint64_t training_seed() const { return static_cast<std::uint64_t>(request_.seed); }
  /// The folder of the runs of this and other tunings of the family.
  std::filesystem::path runs_folder() const;

  std::string variant_name(const Settings& candidate) const;
  /// A step as an experiment, with the programs.
  plan::Experiment experiment(const Spec& spec) const;

  /// True if some instance has the candidate's compile-time keys, which must apply to it. `auto` is
  /// resolved later.
  bool is_built(const Settings& candidate) const;

  Spec spec(const std::string& step, const std::string& title,
            const std::vector<Settings>& candidates, const Effort& effort,
            std::uint64_t seed) const;

  /// Throws when the default can't be measured here, before anything is written.
  void check_default() const;

  /// Runs of the default alone, one process each: the cost of opening and of one query. They have 1
  /// and 4 queries, and more where those take less than three times as long as opening.
  TimeModel calibrate();

  void begin_search(const TimeModel& model, const Shares& shares);
  bool affords(std::size_t cell_count, std::size_t query_count) override;
  /// Measures candidates. A new candidate is asked one query first. It is cut if that takes
  /// kCutRatio times the default's time: it would use up the time of all others.
  std::vector<Reading> measure(const std::vector<Settings>& candidates,
                               std::size_t query_count) override;

  /// Throws Error(interrupted) after a signal. `deadline` cuts the run short.
  Json run(const Spec& spec, const std::string& form,
           std::optional<std::chrono::steady_clock::time_point> deadline);

  /// Blocks of `variant` against the default's, by the objective, or why there are none.
  Reading reading_of(const Json& result, const std::string& variant) const;

 private:
  /// Asks one query of each candidate in `candidates` that was not asked yet.
  void screen(const std::vector<Settings>& candidates);
  /// One run of the default and `candidates`.
  std::vector<Reading> measure_round(const std::vector<Settings>& candidates,
                                     std::size_t query_count);
  plan::Options options(const std::string& form) const;
  Effort training_effort(std::size_t cell_count, std::size_t query_count) const;

  /// Throws if the default is missing or its `objective` is: there is nothing to compare with.
  void require_default(const Json& result) const;

  const Request& request_;
  const Selection selection_;
  const Settings& start_;
  const std::vector<std::string>& argv_;
  const std::chrono::steady_clock::time_point end_;
  std::optional<TimeModel> model_;
  Shares shares_;
  std::size_t run_count_ = 0;
  std::vector<ExitCode> codes_;
  std::filesystem::path last_result_;
  std::map<std::string, std::string> screened_;  ///< candidate -> why it was cut; "" if it wasn't
};

/// `2 s`: whole seconds, rounded up.
std::string seconds_text(double seconds);

}  // namespace bellmark::tune
