// `bellmark tune`: searches settings on training queries, judges the find on held-out ones.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <set>

#include "algorithms/contract/registry.hpp"
#include "base/atomic_file.hpp"
#include "base/text.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/experiment_options.hpp"
#include "harness/cli/session.hpp"
#include "harness/report/format.hpp"
#include "harness/run/supervise/supervisor.hpp"
#include "harness/tune/search.hpp"
#include "harness/tune/spec.hpp"
#include "harness/tune/time_model.hpp"

namespace bellmark::cli {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::uint64_t kSeedTries = 64;

struct TuneFlags {
  std::string variant;
  std::string keys;
  std::string graph = kDefaultGraph;
  std::string placement = "core:0";
  std::string budget = "5m";
  std::size_t queries = 16;
  std::int64_t seed = 42;
  std::string runs = "runs";
  std::string output;
  double timeout_s = 0;
  bool force = false;
  bool quiet = false;
};

double seconds_between(SteadyClock::time_point from, SteadyClock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

std::string seconds_text(double seconds) {
  return std::to_string(std::lround(std::ceil(seconds))) + " s";
}

Selection select_one(const std::string& pattern) {
  const auto selections = Registry::global().select(pattern);
  if (selections.size() == 1) return selections.front();
  throw InputError("variant '" + pattern + "'",
                   "names " + std::to_string(selections.size()) + " variants; tune searches one",
                   "name one (see: bellmark list -v '" + pattern + "')");
}

/// The key with the values that were built; others can't be tried.
Key with_built_values(Key key, const Family& family) {
  std::vector<std::string> built;
  for (const Instance& instance : family.instances) {
    if (!instance.description.instance.has(key.name)) continue;
    const std::string& value = instance.description.instance.get(key.name);
    if (std::ranges::find(built, value) == built.end()) built.push_back(value);
  }
  const auto number = [](const std::string& value) { return parse_integer(value).value_or(0); };
  if (key.choices.empty()) std::ranges::sort(built, {}, number);
  key.choices = built;
  return key;
}

std::vector<std::string> names_where(const Family& family, bool (*holds)(const Key&)) {
  std::vector<std::string> names;
  for (const Key& key : family.description().keys) {
    if (holds(key)) names.push_back(key.name);
  }
  return names;
}

bool is_compile_time(const Key& key) { return key.when == Key::When::compile_time; }

/// What `-p` may name, in words.
std::string tunable_text(const Family& family) {
  const auto tunable = names_where(family, [](const Key& key) { return key.tunable; });
  const auto built = names_where(family, is_compile_time);
  std::string text = tunable.empty() ? "it declares no key tunable" : "tunable are ";
  text += join(tunable, ", ");
  if (!built.empty()) text += "; compile-time keys can be named as well: " + join(built, ", ");
  return text;
}

/// The keys to search: those named, or all that are declared tunable.
std::vector<Key> keys_to_search(const Family& family, const std::string& named) {
  std::vector<std::string> names;
  for (const std::string& part : split(named, ',')) names.emplace_back(trim(part));
  if (names.empty()) names = names_where(family, [](const Key& key) { return key.tunable; });
  if (names.empty()) {
    throw InputError(family.name, tunable_text(family), "name keys with -p (see: bellmark list)");
  }
  std::vector<Key> keys;
  for (const std::string& name : names) {
    const Key* key = family.key(name);
    if (key == nullptr) {
      throw InputError("-p " + named, "'" + family.name + "' has no key '" + name + "'",
                       suggestion(name, names_where(family, [](const Key&) { return true; })));
    }
    if (!is_compile_time(*key) && !key->tunable) {
      throw InputError("-p " + named, "key '" + name + "' is not tunable", tunable_text(family));
    }
    if (std::ranges::find(keys, name, &Key::name) != keys.end()) {
      throw InputError("-p " + named, "key '" + name + "' is named twice", "name it once");
    }
    keys.push_back(is_compile_time(*key) ? with_built_values(*key, family) : *key);
  }
  return keys;
}

std::uint64_t held_out_seed(const std::string& problem, const std::string& graph,
                            std::uint64_t training_seed,
                            const std::vector<std::size_t>& training_counts,
                            std::size_t held_out_count) {
  std::set<std::string> training;
  const auto texts = [&](std::size_t count, std::uint64_t seed) {
    const auto workload =
        Registry::global().open_workload(problem, graph, {"default", count, seed});
    std::set<std::string> found;
    for (std::size_t i = 0; i < workload->query_count(); ++i) found.insert(workload->query_text(i));
    return found;
  };
  // Every count on its own: that a longer list begins with a shorter one is nowhere promised.
  for (const std::size_t count : training_counts) training.merge(texts(count, training_seed));
  for (std::uint64_t seed = training_seed + 1; seed <= training_seed + kSeedTries; ++seed) {
    const auto held_out = texts(held_out_count, seed);
    const auto is_training = [&](const std::string& text) { return training.contains(text); };
    if (std::ranges::none_of(held_out, is_training)) return seed;
  }
  throw InputError(graph,
                   "no " + std::to_string(held_out_count) +
                       " held-out queries that are not among the training queries in " +
                       std::to_string(kSeedTries) + " seeds",
                   "ask for fewer with --queries, or use a larger graph");
}

const Json* entry_of(const Json& list, const char* key, const Json& value) {
  const auto found =
      std::ranges::find_if(list, [&](const Json& entry) { return entry.at(key) == value; });
  return found == list.end() ? nullptr : &*found;
}

/// Runs the steps of one tuning, each an ordinary run in a folder of its own.
class Laboratory final : public tune::Bench {
 public:
  Laboratory(const TuneFlags& flags, Selection selection, const Settings& start,
             const std::vector<std::string>& argv)
      : flags_(flags),
        selection_(std::move(selection)),
        start_(start),
        argv_(argv),
        end_(SteadyClock::now() + to_duration(plan::parse_duration(flags.budget))) {}

  double left_s() const { return seconds_between(SteadyClock::now(), end_); }
  std::size_t run_count() const { return run_count_; }
  const std::vector<ExitCode>& codes() const { return codes_; }
  const std::filesystem::path& last_result() const { return last_result_; }
  /// Where the runs of this and other tunings of the family are.
  std::filesystem::path runs_folder() const {
    return std::filesystem::path(flags_.runs) / "tune" / selection_.family->name;
  }

  std::string variant_name(const Settings& candidate) const {
    Settings settings = selection_.settings;
    for (const auto& [key, value] : candidate.entries()) settings.set(key, value);
    const Family& family = *selection_.family;
    // A value may bring keys that did not apply before: selecting gives them their defaults.
    return select_one(family.canonical(family.applicable(settings))).name();
  }

  /// Whether some instance has the candidate's compile-time keys, which must apply to it; `auto` is
  /// decided later.
  bool is_built(const Settings& candidate) const {
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

  tune::Spec spec(const std::string& step, const std::string& title,
                  const std::vector<Settings>& candidates, const tune::Effort& effort,
                  std::uint64_t seed) const {
    tune::Spec spec{"tune/" + selection_.family->name + "/" + step,
                    title,
                    {variant_name(start_)},
                    selection_.family->problem(),
                    flags_.graph,
                    flags_.placement,
                    seed,
                    effort};
    for (const Settings& candidate : candidates) spec.variants.push_back(variant_name(candidate));
    spec.effort.cell_count = spec.variants.size();
    if (flags_.timeout_s > 0) spec.timeout_s = flags_.timeout_s;
    return spec;
  }

  /// Throws when the default can't be measured here, before anything is written.
  void check_default() const {
    const auto plan = plan::make_plan(
        plan::parse_experiment(tune::experiment_text(spec("check", "", {}, {}, training_seed())),
                               "tune"),
        options("smoke"), machine::Topology::this_machine());
    if (plan.cells.size() != 1) {
      throw InputError("-c " + flags_.placement,
                       "means " + std::to_string(plan.cells.size()) + " places; tune takes one",
                       "name one, for example core:0");
    }
    const run::Probe probe = run::probe(plan);
    if (probe.not_measured.empty()) return;
    const run::NotMeasured& why = probe.not_measured.front();
    if (why.code == "unmet-need") throw UnmetError(selection_.name(), why.reason);
    throw InputError(selection_.name(), why.reason);
  }

  /// Two runs of the default alone, one process each: what opening and one query cost.
  tune::TimeModel calibrate() {
    constexpr std::size_t kFew = 1;
    constexpr std::size_t kMany = 4;
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
    const double many_s = took(kMany);
    return {few_s, kFew, many_s, kMany, timed_s};
  }

  void begin_search(const tune::TimeModel& model, const tune::Shares& shares) {
    model_ = model;
    shares_ = shares;
  }

  bool affords(std::size_t cell_count, std::size_t query_count) override {
    return model_->run_s(training_effort(cell_count, query_count)) <= left_s() - shares_.reserve_s;
  }

  std::vector<tune::Reading> measure(const std::vector<Settings>& candidates,
                                     std::size_t query_count) override {
    const tune::Effort effort = training_effort(candidates.size() + 1, query_count);
    tune::Spec wanted =
        spec("training", "A round of the search", candidates, effort, training_seed());
    // A candidate that hangs must not eat the budget.
    constexpr double kLeastTimeout = 10;
    if (flags_.timeout_s <= 0) {
      wanted.timeout_s = std::clamp(20 * model_->process_s(effort), kLeastTimeout, 600.0);
    }
    const auto begin = SteadyClock::now();
    const Json result = run(wanted, "full", end_ - to_duration(shares_.reserve_s));
    model_->learn(effort, seconds_between(begin, SteadyClock::now()));
    require_default(result);
    std::vector<tune::Reading> readings;
    readings.reserve(candidates.size());
    for (const Settings& candidate : candidates) {
      readings.push_back(reading_of(result, variant_name(candidate)));
    }
    return readings;
  }

  /// Throws Error(interrupted) after a signal. `deadline` cuts the run short.
  Json run(const tune::Spec& spec, const std::string& form,
           std::optional<SteadyClock::time_point> deadline) {
    const auto folder = run::RunFolder::create(
        flags_.runs, plan::parse_experiment(tune::experiment_text(spec), spec.id), options(form),
        argv_);
    ++run_count_;
    if (!flags_.quiet) {
      std::cerr << spec.id << ": " << spec.effort.cell_count << " cells, "
                << spec.effort.query_count << " queries, " << seconds_text(std::max(0.0, left_s()))
                << " of the budget left\n";
    }
    // One line a run is enough where nothing is redrawn.
    SessionOutcome outcome = run_session(folder, prepare(folder.experiment, folder.options),
                                         flags_.quiet || isatty(STDERR_FILENO) != 1, deadline);
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

  std::uint64_t training_seed() const { return static_cast<std::uint64_t>(flags_.seed); }

  /// `candidate`'s blocks against the default's, or why there are none.
  static tune::Reading reading_of(const Json& result, const std::string& variant) {
    tune::Reading reading;
    const Json& id = entry_of(result.at("cells"), "requested_variant", variant)->at("id");
    if (const Json* fault = entry_of(result.at("not_measured"), "cell", id)) {
      reading.fault =
          fault->at("code").get<std::string>() + ": " + fault->at("reason").get<std::string>();
    } else if (const Json* comparison = entry_of(result.at("comparisons"), "a", id)) {
      for (const Json& ratio : comparison->at("block_ratios")) {
        reading.block_log_ratios.push_back(std::log(ratio.get<double>()));
      }
    }
    return reading;
  }

 private:
  plan::Options options(const std::string& form) const {
    plan::Options options;
    options.form = form;
    options.force = flags_.force;
    return options;
  }

  tune::Effort training_effort(std::size_t cell_count, std::size_t query_count) const {
    tune::Effort effort = shares_.training;
    effort.cell_count = cell_count;
    effort.query_count = query_count;
    return effort;
  }

  /// Without the default there is nothing to compare with.
  void require_default(const Json& result) const {
    const Json* fault =
        entry_of(result.at("not_measured"), "cell", result.at("experiment").at("baseline"));
    if (fault == nullptr) return;
    const auto& code = fault->at("code").get_ref<const std::string&>();
    throw Error(code == "wrong-answer" ? ExitCode::wrong_answer
                : code == "unmet-need" ? ExitCode::all_unmet
                                       : ExitCode::crash,
                selection_.name(),
                "the default failed: " + code + ": " + fault->at("reason").get<std::string>(),
                "see " + last_result_.string());
  }

  const TuneFlags& flags_;
  const Selection selection_;
  const Settings& start_;
  const std::vector<std::string>& argv_;
  const SteadyClock::time_point end_;
  std::optional<tune::TimeModel> model_;
  tune::Shares shares_;
  std::size_t run_count_ = 0;
  std::vector<ExitCode> codes_;
  std::filesystem::path last_result_;
};

std::string tried_table(const tune::Finding& finding, const Settings& start) {
  std::vector<std::vector<std::string>> rows = {
      {"  candidate", "queries", "training: time / the default's", "fate"},
      {"  " + start.text(), "", "the default", ""}};
  std::string faults;
  for (const tune::Tried& tried : finding.tried) {
    if (tried.fate == tune::Fate::failed) {
      faults += "  " + tried.candidate.text() + "  dropped: " + tried.fault + "\n";
      continue;
    }
    rows.push_back({"  " + tried.candidate.text(), std::to_string(tried.query_count),
                    tried.ratio ? report::ratio_text(*tried.ratio) : "-", to_string(tried.fate)});
  }
  return report::aligned(rows) + faults;
}

std::string training_text(const tune::Finding& finding, const tune::Shares& shares,
                          std::uint64_t seed) {
  std::string text = std::to_string(finding.tried.size()) + " candidates in " +
                     std::to_string(finding.round_count) + " runs, seed " + std::to_string(seed) +
                     ", at most " + std::to_string(shares.held_out.query_count) + " queries";
  if (finding.exhausted) text += "; the budget ended the search";
  if (finding.skipped_count > 0) {
    text += "; " + std::to_string(finding.skipped_count) + " more were left out for want of time";
  }
  return text;
}

measure::Ratio held_out_ratio(const tune::Reading& reading) {
  if (reading.block_log_ratios.empty()) return {1, std::nullopt};
  return measure::ratio_over_blocks(reading.block_log_ratios);
}

std::string text_of(const Json& json, const char* key) {
  return json.contains(key) && json.at(key).is_string() ? json.at(key).get<std::string>()
                                                        : "unknown";
}

tune::Origin origin_of(const Json& result, const std::string& verdict, const std::string& training,
                       const std::string& graph, const std::vector<std::string>& argv) {
  const Json& provenance = result.at("provenance");
  const Json& facts = result.at("workloads").at(0).at("facts");
  return {verdict,
          training,
          text_of(result.at("environment"), "cpu_model") + ", " +
              result.at("topology").at("summary").at("pu_count").dump() + " processing units, " +
              text_of(result.at("environment"), "host_name"),
          graph + ", digest " + text_of(facts, "digest"),
          text_of(provenance, "version") + ", git " + text_of(provenance, "git_sha"),
          join(argv, " "),
          text_of(provenance, "started_utc")};
}

ExitCode tune_variant(const TuneFlags& flags, const std::vector<std::string>& argv) {
  const Selection selection = select_one(flags.variant);
  const std::vector<Key> keys = keys_to_search(*selection.family, flags.keys);
  Settings start;
  for (const Key& key : keys) {
    if (!selection.settings.has(key.name)) {
      throw InputError("-p " + flags.keys, "key '" + key.name + "' does not apply to this variant",
                       "leave it out");
    }
    start.set(key.name, selection.settings.get(key.name));
  }
  Laboratory laboratory(flags, selection, start, argv);
  const auto is_built = [&](const Settings& candidate) { return laboratory.is_built(candidate); };

  const bool has_choice = std::ranges::any_of(keys, [&](const Key& key) {
    return std::ranges::any_of(tune::values_near(key, start.get(key.name), false),
                               [&](const std::string& value) {
                                 Settings candidate = start;
                                 candidate.set(key.name, value);
                                 return is_built(candidate);
                               });
  });
  if (!has_choice) {
    throw InputError(
        selection.name(),
        "nothing to tune: only one value of " + flags.keys + " was built beside these keys",
        tunable_text(*selection.family));
  }
  if (!flags.output.empty()) AtomicFile probe(flags.output);
  laboratory.check_default();

  const tune::TimeModel model = laboratory.calibrate();
  const tune::Shares shares = tune::divide(model, flags.queries, laboratory.left_s());
  if (!shares.fits) {
    const double spent_s = plan::parse_duration(flags.budget) - laboratory.left_s();
    throw InputError("--budget " + flags.budget,
                     "is too small: the shortest tuning of " + selection.name() + " on " +
                         flags.graph + " takes about " + seconds_text(spent_s + shares.shortest_s),
                     "give it more");
  }
  const std::size_t query_count = shares.held_out.query_count;
  const auto counts = tune::round_query_counts(query_count);
  const std::uint64_t seed = held_out_seed(selection.family->problem(), flags.graph,
                                           laboratory.training_seed(), counts, query_count);
  laboratory.begin_search(model, shares);

  const tune::Finding finding = tune::search(keys, start, counts, is_built, laboratory);
  const std::string training = training_text(finding, shares, laboratory.training_seed());
  std::cout << selection.name() << " on " << flags.graph << ", " << flags.placement << "\n"
            << tried_table(finding, start) << "  " << training << "\n";
  if (query_count < flags.queries) {
    std::cout << "  budget: " << query_count << " of " << flags.queries << " queries\n";
  }
  if (finding.best == start) {
    std::cout << "the default stands: nothing was faster in training, so that there is nothing to "
                 "hold out and no spec to write\n";
    if (finding.round_count > 0) {
      std::cout << "  result: " << laboratory.last_result().string() << "\n";
    }
    return most_urgent(laboratory.codes());
  }

  const std::string change = finding.best.text() + " instead of " + start.text();
  tune::Spec held_out = laboratory.spec("held-out", change, {finding.best}, shares.held_out, seed);
  const Json result = laboratory.run(held_out, "full", std::nullopt);
  const auto reading = Laboratory::reading_of(result, laboratory.variant_name(finding.best));
  const measure::Ratio ratio = held_out_ratio(reading);
  const measure::Outcome outcome = measure::judge(ratio.interval);
  const std::string ratio_text = reading.fault.empty() ? report::ratio_text(ratio) : reading.fault;
  const std::string verdict = (outcome == measure::Outcome::faster ? "the tuned settings are better"
                                                                   : "the default stands") +
                              (": " + ratio_text);

  held_out.id = "tuned/" + selection.family->name;
  const std::filesystem::path file = flags.output.empty()
                                         ? laboratory.last_result().parent_path() / "tuned.toml"
                                         : std::filesystem::path(flags.output);
  run::write_file(
      file, tune::tuned_text(held_out, origin_of(result, verdict, training, flags.graph, argv)));
  std::cout << "  held out: " << result.at("workloads").at(0).at("queries").at("count")
            << " queries of seed " << seed << ", none of them a training query; " << change << "\n"
            << verdict << "\n"
            << "  tuned spec: " << file.string() << "\n"
            << "  result: " << laboratory.last_result().string() << "\n";
  return most_urgent(laboratory.codes());
}

}  // namespace

void add_tune(CLI::App& parent, int& exit_code, const std::vector<std::string>& argv) {
  auto flags = std::make_shared<TuneFlags>();
  CLI::App* app =
      parent.add_subcommand("tune", "Search a variant's settings; judge them on held-out queries");
  app->add_option("-v,--variant", flags->variant,
                  "one variant; its settings are the default to beat (see: bellmark list)")
      ->required();
  app->add_option("-p,--parameters", flags->keys,
                  "keys to search, with commas; without it, all that are declared tunable");
  app->add_option("-g,--graph", flags->graph, "graph: an id, a file, or grid:/random: settings")
      ->capture_default_str();
  app->add_option("-c,--placement", flags->placement, "one place: core:0, pu:3, none")
      ->capture_default_str();
  app->add_option("--budget", flags->budget, "time for all of it (90s, 8m)")->capture_default_str();
  app->add_option("--queries", flags->queries, "held-out queries, and the most training queries")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}))
      ->capture_default_str();
  // Held-out seeds come after it, and an experiment file holds 63 bits.
  app->add_option("--seed", flags->seed, "seed of the training queries")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max() -
                                              static_cast<std::int64_t>(kSeedTries)))
      ->capture_default_str();
  app->add_option("--timeout", flags->timeout_s,
                  "seconds of silence after which a worker is killed")
      ->check(number_above_zero());
  app->add_option("--runs", flags->runs, "folder for raw runs")->capture_default_str();
  app->add_option("-o,--output", flags->output,
                  "the tuned spec: an experiment of default against tuned\n"
                  "(without it, tuned.toml beside the held-out result)");
  app->add_flag("--force", flags->force, "go on when a worker can't be pinned");
  app->add_flag("-q,--quiet", flags->quiet, "no progress on stderr");
  app->footer(
      "Training and held-out queries have different seeds and share no query. The tuned settings\n"
      "are called better only when the held-out interval excludes 1. Every step is a run of its\n"
      "own under runs/tune/. Ctrl-C loses the search, not the runs that are finished.\n\n"
      "  bellmark tune -v sssp/yours --budget 8m -o tuned.toml\n"
      "  bellmark tune -v sssp/dijkstra -p arity,extract -g my.gr.gz\n"
      "  bellmark run tuned.toml");
  app->callback(
      [flags, &exit_code, &argv] { exit_code = static_cast<int>(tune_variant(*flags, argv)); });
}

}  // namespace bellmark::cli
