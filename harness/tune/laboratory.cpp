#include "harness/tune/laboratory.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <utility>

#include "base/counted.hpp"
#include "harness/report/format.hpp"
#include "harness/run/session/session.hpp"
#include "harness/run/supervise/supervisor.hpp"
#include "harness/tune/keys.hpp"
#include "harness/verdict/doubt.hpp"

namespace bellmark::tune {
namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_between(SteadyClock::time_point from, SteadyClock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

const Json* entry_of(const Json& list, const char* key, const Json& value) {
  const auto found =
      std::ranges::find_if(list, [&](const Json& entry) { return entry.at(key) == value; });
  return found == list.end() ? nullptr : &*found;
}

const Json& cell_of(const Json& result, const std::string& variant) {
  return *entry_of(result.at("cells"), "requested_variant", variant);
}

const Json& default_of(const Json& result) {
  return *entry_of(result.at("cells"), "id", result.at("experiment").at("baseline"));
}

/// The reason why `cell` has no times; "" if it has.
std::string fault_of(const Json& result, const Json& cell) {
  const Json* fault = entry_of(result.at("not_measured"), "cell", cell.at("id"));
  if (fault == nullptr) return "";
  return fault->at("code").get<std::string>() + ": " + fault->at("reason").get<std::string>();
}

/// Whether no budget or signal stopped the run before its last task.
bool is_whole(const Json& result) { return result.at("experiment").at("cuts").empty(); }

}  // namespace

std::string seconds_text(double seconds) {
  return std::to_string(std::lround(std::ceil(seconds))) + " s";
}

Laboratory::Laboratory(const Request& request, Selection selection, const Settings& start,
                       const std::vector<std::string>& argv)
    : request_(request),
      selection_(std::move(selection)),
      start_(start),
      argv_(argv),
      end_(SteadyClock::now() + run::to_duration(plan::parse_duration(request.budget))) {}

double Laboratory::left_s() const { return seconds_between(SteadyClock::now(), end_); }

std::filesystem::path Laboratory::runs_folder() const {
  return std::filesystem::path(request_.runs) / "tune" / selection_.family->name;
}

std::string Laboratory::variant_name(const Settings& candidate) const {
  Settings settings = selection_.settings;
  for (const auto& [key, value] : candidate.entries()) settings.set(key, value);
  const Family& family = *selection_.family;
  // A value may bring keys that did not apply before. Selecting gives them their defaults.
  return select_one(family.canonical(family.applicable(settings))).name();
}

bool Laboratory::is_built(const Settings& candidate) const {
  Settings settings = selection_.settings;
  for (const auto& [key, value] : candidate.entries()) settings.set(key, value);
  const Family& family = *selection_.family;
  return std::ranges::any_of(family.instances, [&](const Instance& instance) {
    const bool applies = std::ranges::all_of(candidate.entries(), [&](const auto& entry) {
      return !is_compile_time(*family.key(entry.first)) ||
             instance.description.instance.has(entry.first);
    });
    return applies && instance.may_serve(settings);
  });
}

Spec Laboratory::spec(const std::string& step, const std::string& title,
                      const std::vector<Settings>& candidates, const Effort& effort,
                      std::uint64_t seed) const {
  Spec spec{"tune/" + selection_.family->name + "/" + step,
            title,
            {variant_name(start_)},
            selection_.family->problem(),
            request_.graph,
            request_.placement,
            seed,
            effort};
  for (const Settings& candidate : candidates) spec.variants.push_back(variant_name(candidate));
  spec.effort.cell_count = spec.variants.size();
  if (request_.timeout_s > 0) spec.timeout_s = request_.timeout_s;
  spec.pages = request_.pages;
  spec.objective = request_.objective;
  for (const external::Program& program : request_.programs) {
    const std::string file = std::filesystem::absolute(program.origin).string();
    if (std::ranges::count(spec.program_files, file) == 0) spec.program_files.push_back(file);
  }
  return spec;
}

plan::Experiment Laboratory::experiment(const Spec& spec) const {
  plan::Experiment experiment = plan::parse_experiment(experiment_text(spec), spec.id);
  experiment.programs = request_.programs;
  return experiment;
}

void Laboratory::check_default() const {
  const auto plan = plan::make_plan(experiment(spec("check", "", {}, {}, training_seed())),
                                    options("smoke"), machine::Topology::this_machine());
  if (plan.cells.size() != 1) {
    throw InputError("-c " + request_.placement,
                     "means " + std::to_string(plan.cells.size()) + " places; tune takes one",
                     "name one, for example core:0");
  }
  const run::Probe probe = run::probe(plan);
  if (probe.not_measured.empty()) return;
  const run::NotMeasured& why = probe.not_measured.front();
  if (why.code == "unmet-need") throw UnmetError(selection_.name(), why.reason);
  throw InputError(selection_.name(), why.reason);
}

TimeModel Laboratory::calibrate() {
  constexpr std::size_t kFew = 1;
  constexpr std::size_t kGrowth = 4;
  constexpr std::size_t kMost = 256;
  constexpr double kClear = 3;     // openings; other load makes one opening as long as two
  constexpr double kShare = 0.05;  // of the budget, for a further calibrating run
  double timed_s = 0;
  const auto took = [&](std::size_t query_count) {
    const auto begin = SteadyClock::now();
    const Json result = run(spec("calibration", "What a run of the default takes", {},
                                 {1, query_count, 1, 1}, training_seed()),
                            "smoke", std::nullopt);
    require_default(result);
    timed_s = result.at("cells").at(0).at("wall_ns").at("median").get<double>() * 1e-9;
    return seconds_between(begin, SteadyClock::now());
  };
  const double few_s = took(kFew);
  std::size_t many = kFew * kGrowth;
  double many_s = took(many);
  // Queries that take less time than opening vanish in what opening varies by, and a comparison has
  // over a thousand times as many.
  while (many < kMost && many_s - few_s < kClear * few_s && kGrowth * many_s < kShare * left_s()) {
    many *= kGrowth;
    many_s = took(many);
  }
  return {few_s, kFew, many_s, many, timed_s};
}

void Laboratory::begin_search(const TimeModel& model, const Shares& shares) {
  model_ = model;
  shares_ = shares;
}

bool Laboratory::affords(std::size_t cell_count, std::size_t query_count) {
  return model_->run_s(training_effort(cell_count, query_count)) <= left_s() - shares_.reserve_s;
}

void Laboratory::screen(const std::vector<Settings>& candidates) {
  std::vector<Settings> fresh;
  for (const Settings& candidate : candidates) {
    if (!screened_.contains(candidate.text())) fresh.push_back(candidate);
  }
  if (fresh.empty()) return;
  Spec wanted = spec("screening", "One query of each new candidate", fresh,
                     {fresh.size() + 1, 1, 1, 1}, training_seed());
  // The worker reports when it goes on to another candidate.
  const double limit_s = model_->query_limit_s(kCutRatio);
  wanted.timeout_s = request_.timeout_s > 0 ? std::min(request_.timeout_s, limit_s) : limit_s;
  const Json result = run(wanted, "smoke", end_ - run::to_duration(shares_.reserve_s));
  require_default(result);
  const auto median_of = [](const Json& cell) {
    const Json& wall_ns = cell.at("wall_ns");
    return wall_ns.is_null() ? 0.0 : wall_ns.at("median").get<double>();
  };
  const Json& own = cell_of(result, variant_name(start_));
  const double own_ns = median_of(own);
  bool failed = false;
  for (const Settings& candidate : fresh) {
    std::string& fault = screened_[candidate.text()];
    const Json& cell = cell_of(result, variant_name(candidate));
    fault = fault_of(result, cell);
    const double ratio = own_ns > 0 ? median_of(cell) / own_ns : 0;
    if (fault.starts_with("timeout")) {
      fault = "cut: one query took over " + seconds_text(limit_s);
    } else if (!fault.empty()) {
      failed = true;
    } else if (ratio >= kCutRatio) {
      const bool is_disturbed =
          !report::disturbed_by(own).empty() || !report::disturbed_by(cell).empty();
      fault = "cut: one query took " + std::to_string(std::lround(ratio)) +
              " times the default's time" + (is_disturbed ? ", disturbed" : "");
    }
  }
  // A cut is a finding, and no failure of the run.
  if (!failed) codes_.back() = ExitCode::ok;
}

std::vector<Reading> Laboratory::measure(const std::vector<Settings>& candidates,
                                         std::size_t query_count) {
  screen(candidates);
  std::vector<Settings> kept;
  for (const Settings& candidate : candidates) {
    if (screened_.at(candidate.text()).empty()) kept.push_back(candidate);
  }
  std::vector<Reading> measured;
  if (!kept.empty()) measured = measure_round(kept, query_count);
  std::vector<Reading> readings;
  readings.reserve(candidates.size());
  auto next = measured.begin();
  for (const Settings& candidate : candidates) {
    const std::string& fault = screened_.at(candidate.text());
    readings.push_back(fault.empty() ? std::move(*next++) : Reading{{}, fault, ""});
  }
  return readings;
}

std::vector<Reading> Laboratory::measure_round(const std::vector<Settings>& candidates,
                                               std::size_t query_count) {
  const Effort effort = training_effort(candidates.size() + 1, query_count);
  Spec wanted = spec("training", "A round of the search", candidates, effort, training_seed());
  // A candidate that hangs must not use up the budget.
  constexpr double kLeastTimeout = 10;
  if (request_.timeout_s <= 0) {
    wanted.timeout_s = std::clamp(20 * model_->process_s(effort), kLeastTimeout, 600.0);
  }
  const auto begin = SteadyClock::now();
  const Json result = run(wanted, "full", end_ - run::to_duration(shares_.reserve_s));
  model_->learn(effort, seconds_between(begin, SteadyClock::now()));
  require_default(result);
  std::vector<Reading> readings;
  readings.reserve(candidates.size());
  for (const Settings& candidate : candidates) {
    readings.push_back(reading_of(result, variant_name(candidate)));
  }
  return readings;
}

Json Laboratory::run(const Spec& spec, const std::string& form,
                     std::optional<SteadyClock::time_point> deadline) {
  const auto folder = run::RunFolder::create(request_.runs, experiment(spec), options(form), argv_);
  ++run_count_;
  if (!request_.quiet) {
    std::cerr << spec.id << ": " << counted(spec.effort.cell_count, "cell") << ", "
              << counted(spec.effort.query_count, "query", "queries") << ", "
              << seconds_text(std::max(0.0, left_s())) << " of the budget left\n";
  }
  // One line for each run is enough if nothing is redrawn.
  run::SessionOutcome outcome =
      run::run_session(folder, run::prepare(folder.experiment, folder.options),
                       request_.quiet || isatty(STDERR_FILENO) != 1, deadline);
  if (!outcome.result) {
    throw Error(ExitCode::interrupted, "tune",
                "the search is lost; its " + std::to_string(run_count_ - 1) +
                    " finished runs are kept under " + runs_folder().string(),
                "start the same command again");
  }
  codes_.push_back(outcome.code);
  last_result_ = folder.result_file();
  return std::move(*outcome.result);
}

Reading Laboratory::reading_of(const Json& result, const std::string& variant) const {
  const Json& cell = cell_of(result, variant);
  if (std::string fault = fault_of(result, cell); !fault.empty()) return {{}, std::move(fault), ""};
  const Json& own = default_of(result);
  Reading reading;
  if (request_.objective != Objective::time) {
    reading = reading_of_blocks(cell, own, request_.objective);
    // The passes of energy and memory come last: a run that was cut short may have none of them.
    if (!is_whole(result)) reading.fault.clear();
  } else if (const Json* comparison = entry_of(result.at("comparisons"), "a", cell.at("id"))) {
    for (const Json& ratio : comparison->at("block_ratios")) {
      reading.block_log_ratios.push_back(std::log(ratio.get<double>()));
    }
  }
  // Other programs take time and energy, and leave a process's own memory alone.
  if (request_.objective != Objective::memory) reading.doubt = verdict::doubt_of({&cell, &own});
  return reading;
}

plan::Options Laboratory::options(const std::string& form) const {
  plan::Options options;
  options.form = form;
  options.force = request_.force;
  return options;
}

Effort Laboratory::training_effort(std::size_t cell_count, std::size_t query_count) const {
  Effort effort = shares_.training;
  effort.cell_count = cell_count;
  effort.query_count = query_count;
  return effort;
}

void Laboratory::require_default(const Json& result) const {
  const Json* fault =
      entry_of(result.at("not_measured"), "cell", result.at("experiment").at("baseline"));
  if (fault == nullptr) {
    if (request_.objective == Objective::time || !is_whole(result)) return;
    const Json& own = default_of(result);
    const Reading reading = reading_of_blocks(own, own, request_.objective);
    if (!reading.fault.empty()) throw UnmetError(selection_.name(), reading.fault);
    return;
  }
  const auto& code = fault->at("code").get_ref<const std::string&>();
  throw Error(code == "wrong-answer" ? ExitCode::wrong_answer
              : code == "unmet-need" ? ExitCode::all_unmet
                                     : ExitCode::crash,
              selection_.name(),
              "the default failed: " + code + ": " + fault->at("reason").get<std::string>(),
              "see " + last_result_.string());
}

}  // namespace bellmark::tune
