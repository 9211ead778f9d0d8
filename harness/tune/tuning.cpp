#include "harness/tune/tuning.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ostream>
#include <set>
#include <string_view>
#include <utility>

#include "base/atomic_file.hpp"
#include "base/counted.hpp"
#include "base/terminal.hpp"
#include "base/text.hpp"
#include "harness/machine/rapl.hpp"
#include "harness/machine/tunings.hpp"
#include "harness/report/fitted_table.hpp"
#include "harness/report/format.hpp"
#include "harness/report/reasons.hpp"
#include "harness/run/session/exit_codes.hpp"
#include "harness/run/session/export_check.hpp"
#include "harness/run/supervise/run_folder.hpp"
#include "harness/tune/keys.hpp"

namespace bellmark::tune {
namespace {

std::uint64_t held_out_seed(const std::string& problem, const std::string& graph,
                            std::uint64_t training_seed,
                            const std::vector<std::size_t>& training_counts,
                            std::size_t held_out_count) {
  // An input has only one query, so fresh blocks judge.
  if (Registry::global().asks_whole_input(problem)) return training_seed + 1;
  std::set<std::string> training;
  const auto texts = [&](std::size_t count, std::uint64_t seed) {
    const auto workload =
        Registry::global().open_workload(problem, graph, {"default", count, seed});
    std::set<std::string> found;
    for (std::size_t i = 0; i < workload->query_count(); ++i) found.insert(workload->query_text(i));
    return found;
  };
  // Every count on its own: no rule says that a longer list begins with a shorter one.
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
                   "ask for fewer with --queries, or take a larger input");
}

std::string training_head(Objective objective) {
  return "training: " + to_string(objective) + " / the default's";
}

/// Times are FASTER or SLOWER; other objectives are LESS or MORE.
std::string objective_text(Objective objective, const measure::Ratio& ratio,
                           const std::string& doubt) {
  std::string text = report::ratio_text(ratio, doubt);
  if (objective == Objective::time) return text;
  for (const auto& [word, other] : {std::pair{"FASTER", "LESS"}, std::pair{"SLOWER", "MORE"}}) {
    if (const auto at = text.find(word); at != std::string::npos) {
      text.replace(at, std::string_view(word).size(), other);
    }
  }
  return to_string(objective) + " " + text;
}

std::string tried_table(const Finding& finding, const Settings& start, Objective objective) {
  std::vector<std::vector<std::string>> rows = {
      {"candidate", "queries", training_head(objective), "fate"},
      {start.text(), "", "the default", ""}};
  std::string faults;
  report::Reasons doubts;
  for (const Tried& tried : finding.tried) {
    if (!tried.doubt.empty()) {
      doubts.add(tried.candidate.text(), "not judged: " + tried.doubt);
    }
    if (tried.fate == Fate::failed) {
      faults += "  " + tried.candidate.text() + "  dropped: " + tried.fault + "\n";
      continue;
    }
    rows.push_back({tried.candidate.text(), std::to_string(tried.query_count),
                    tried.ratio ? objective_text(objective, *tried.ratio, tried.doubt) : "-",
                    to_string(tried.fate)});
  }
  return report::fitted_or_whole(rows, "  ", terminal_columns(STDOUT_FILENO), rows.front().size()) +
         faults + doubts.text();
}

/// A table for each value of a third key: rows of the first key's values, columns of the second's.
std::string surface_text(const Finding& finding, const std::vector<Key>& keys,
                         const Settings& start, Objective objective) {
  const auto values_of = [&](std::size_t key) {
    std::vector<std::string> values = {start.get(keys[key].name)};
    for (const Tried& tried : finding.tried) {
      const std::string& value = tried.candidate.get(keys[key].name);
      if (std::ranges::find(values, value) == values.end()) values.push_back(value);
    }
    if (keys[key].choices.empty()) {
      std::ranges::sort(values, {}, [](const auto& text) { return parse_integer(text); });
    }
    return values;
  };
  const auto cell_text = [&](const Settings& candidate) -> std::string {
    if (candidate == start) return "1";
    const auto found = std::ranges::find(finding.tried, candidate, &Tried::candidate);
    if (found == finding.tried.end()) return "";
    if (!found->ratio) return to_string(found->fate);
    char ratio[32];
    std::snprintf(ratio, sizeof ratio, "%.3f", found->ratio->value);
    return ratio + std::string(found->doubt.empty() ? "" : "?");
  };
  const std::vector<std::string> layers =
      keys.size() > 2 ? values_of(2) : std::vector<std::string>{""};
  std::string text;
  for (const std::string& layer : layers) {
    std::vector<std::vector<std::string>> rows = {{keys[0].name + " \\ " + keys[1].name}};
    for (const std::string& column : values_of(1)) rows.front().push_back(column);
    for (const std::string& row : values_of(0)) {
      rows.push_back({row});
      for (const std::string& column : values_of(1)) {
        Settings candidate = start;
        candidate.set(keys[0].name, row);
        candidate.set(keys[1].name, column);
        if (keys.size() > 2) candidate.set(keys[2].name, layer);
        rows.back().push_back(cell_text(candidate));
      }
    }
    text += "  " + training_head(objective);
    if (keys.size() > 2) text += "; " + keys[2].name + "=" + layer;
    text += "\n" + report::fitted_or_whole(rows, "  ", terminal_columns(STDOUT_FILENO), 1);
  }
  return text;
}

std::string training_text(const Finding& finding, const Shares& shares, std::uint64_t seed) {
  std::string text = counted(finding.tried.size(), "candidate") + " in " +
                     counted(finding.round_count, "run") + ", seed " + std::to_string(seed) +
                     ", at most " + counted(shares.held_out.query_count, "query", "queries");
  if (finding.exhausted) {
    text += "; the budget ended the search, with " + seconds_text(shares.reserve_s) +
            " kept for the held-out comparison";
  }
  if (finding.skipped_count > 0) {
    text += "; " + std::to_string(finding.skipped_count) + " more were left out for want of time";
  }
  return text;
}

measure::Ratio held_out_ratio(const Reading& reading) {
  if (reading.block_log_ratios.empty()) return {1, std::nullopt};
  return measure::ratio_over_blocks(reading.block_log_ratios);
}

std::string text_of(const Json& json, const char* key) {
  return json.contains(key) && json.at(key).is_string() ? json.at(key).get<std::string>()
                                                        : "unknown";
}

Origin origin_of(const Json& result, const std::string& verdict, const std::string& training,
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

/// Keeps the winner for `auto` and `bellmark tuned`.
std::filesystem::path keep(const Json& result, const Laboratory& laboratory, const Settings& start,
                           const Settings& best, const Request& request,
                           const measure::Ratio& ratio) {
  const Json& provenance = result.at("provenance");
  const machine::Tuning tuning{
      machine::tuning_machine(text_of(result.at("environment"), "cpu_model"),
                              result.at("topology").at("summary").at("pu_count").get<int>()),
      laboratory.variant_name(start),
      laboratory.variant_name(best),
      request.graph,
      text_of(result.at("workloads").at(0).at("facts"), "digest"),
      request.placement,
      ratio.value,
      ratio.interval ? ratio.interval->low : ratio.value,
      ratio.interval ? ratio.interval->high : ratio.value,
      text_of(provenance, "started_utc"),
      text_of(provenance, "version") + ", git " + text_of(provenance, "git_sha")};
  std::filesystem::path file = machine::tunings_file();
  machine::add_tuning(file, tuning);
  return file;
}

/// The variant's own values of the keys that are searched.
Settings start_of(const Selection& selection, const std::vector<Key>& keys,
                  const std::string& named) {
  Settings start;
  for (const Key& key : keys) {
    if (!selection.settings.has(key.name)) {
      throw InputError("-p " + named, "key '" + key.name + "' does not apply to this variant",
                       "leave it out");
    }
    start.set(key.name, selection.settings.get(key.name));
  }
  return start;
}

/// True if any key has another value that was built.
bool has_choice(const Laboratory& laboratory, const std::vector<Key>& keys, const Settings& start) {
  return std::ranges::any_of(keys, [&](const Key& key) {
    const auto values = values_near(key, start.get(key.name), false);
    return std::ranges::any_of(values, [&](const std::string& value) {
      Settings candidate = start;
      candidate.set(key.name, value);
      return laboratory.is_built(candidate);
    });
  });
}

/// The search's finding, and the facts that are needed to judge it.
struct Searched {
  Finding finding;
  Shares shares;
  std::uint64_t held_out_seed;
};

Searched search_settings(const Request& request, const Selection& selection,
                         const std::vector<Key>& keys, const Settings& start,
                         Laboratory& laboratory) {
  const TimeModel model = laboratory.calibrate();
  const Shares shares = divide(model, request.queries, laboratory.left_s(), request.objective);
  if (!shares.fits) {
    const double spent_s = plan::parse_duration(request.budget) - laboratory.left_s();
    throw InputError("--budget " + request.budget,
                     "is too small: the shortest tuning of " + selection.name() + " on " +
                         request.graph + " takes about " +
                         seconds_text(spent_s + shares.shortest_s),
                     "give it more");
  }
  const std::size_t query_count = shares.held_out.query_count;
  const auto counts = round_query_counts(query_count);
  const std::uint64_t seed = held_out_seed(selection.family->problem(), request.graph,
                                           laboratory.training_seed(), counts, query_count);
  laboratory.begin_search(model, shares);
  const auto is_built = [&](const Settings& candidate) { return laboratory.is_built(candidate); };
  return {search(keys, start, counts, is_built, laboratory, request.strategy), shares, seed};
}

/// A conclusion from doubted times.
std::string inconclusive_text(const std::string& doubt) {
  return "inconclusive, the default stays: " + doubt;
}

/// One run on queries that the search did not see, and the spec of its winner.
void judge(const Request& request, const Selection& selection, const Settings& start,
           const Searched& searched, const std::string& training, Laboratory& laboratory,
           const std::vector<std::string>& argv, std::ostream& out) {
  const Settings& best = searched.finding.best;
  const std::string change = best.text() + " instead of " + start.text();
  Spec held_out =
      laboratory.spec("held-out", change, {best}, searched.shares.held_out, searched.held_out_seed);
  const Json result = laboratory.run(held_out, "full", std::nullopt);
  const Reading reading = laboratory.reading_of(result, laboratory.variant_name(best));
  const measure::Ratio ratio = held_out_ratio(reading);
  const measure::Outcome outcome = measure::judge(ratio.interval);
  const std::string ratio_text = reading.fault.empty()
                                     ? objective_text(request.objective, ratio, reading.doubt)
                                     : reading.fault;
  const bool is_better = reading.doubt.empty() && outcome == measure::Outcome::faster;
  const std::string verdict = !reading.doubt.empty() ? inconclusive_text(reading.doubt)
                              : is_better            ? "the tuned settings are better"
                                                     : "the default stands";

  held_out.id = "tuned/" + selection.family->name;
  const std::filesystem::path file = request.output.empty()
                                         ? laboratory.last_result().parent_path() / "tuned.toml"
                                         : std::filesystem::path(request.output);
  run::write_file(file, tuned_text(held_out, origin_of(result, verdict + ": " + ratio_text,
                                                       training, request.graph, argv)));
  out << "  held out: " << result.at("workloads").at(0).at("queries").at("count")
      << " queries of seed " << searched.held_out_seed << ", none of them a training query; "
      << change << "\n"
      << verdict << ": " << ratio_text << "\n"
      << "  tuned experiment: " << file.string() << "\n"
      << "  result: " << laboratory.last_result().string() << "\n";
  if (!is_better) return;
  if (request.objective != Objective::time) {
    out << "  not kept for `auto`: it goes by time\n";
    return;
  }
  const std::filesystem::path kept = keep(result, laboratory, start, best, request, ratio);
  out << "  kept in " << kept.string() << " (see: bellmark tuned list)\n";
}

}  // namespace

ExitCode tune_variant(const Request& request, const std::vector<std::string>& argv,
                      std::ostream& out) {
  const Selection selection = select_one(request.variant);
  if (const std::string& absence = selection.family->absence; !absence.empty()) {
    throw UnmetError(selection.name(), absence);
  }
  if (request.objective == Objective::energy && !selection.needs(Need::cuda)) {
    machine::Rapl rapl;
    if (!rapl.energy_j()) throw UnmetError(selection.name(), "no energy: " + rapl.reason());
  }
  const std::vector<Key> keys = keys_to_search(*selection.family, request.keys);
  const Settings start = start_of(selection, keys, request.keys);
  Laboratory laboratory(request, selection, start, argv);
  if (!has_choice(laboratory, keys, start)) {
    throw InputError(
        selection.name(),
        "nothing to tune: only one value of " + request.keys + " was built beside these keys",
        tunable_text(*selection.family));
  }
  if (request.strategy == Strategy::grid && (keys.size() < 2 || keys.size() > kMostGridKeys)) {
    throw InputError(
        "--strategy grid",
        "needs two or three keys, and " + std::to_string(keys.size()) + " are searched",
        "name them with -p");
  }
  run::check_export(request.output, kTunedBeginning);
  laboratory.check_default();

  const Searched searched = search_settings(request, selection, keys, start, laboratory);
  const Finding& finding = searched.finding;
  const std::string training = training_text(finding, searched.shares, laboratory.training_seed());
  out << selection.name() << " on " << request.graph << ", " << request.placement << "\n"
      << tried_table(finding, start, request.objective)
      << (request.strategy == Strategy::grid ? surface_text(finding, keys, start, request.objective)
                                             : "")
      << "  " << training << "\n";
  if (const std::size_t count = searched.shares.held_out.query_count; count < request.queries) {
    out << "  budget: " << count << " of " << request.queries << " queries\n";
  }
  if (finding.best != start) {
    judge(request, selection, start, searched, training, laboratory, argv, out);
    return run::most_urgent(laboratory.codes());
  }
  const auto doubted =
      std::ranges::find_if(finding.tried, [](const Tried& tried) { return !tried.doubt.empty(); });
  out << (doubted == finding.tried.end() ? "the default stands: nothing was better in training"
                                         : inconclusive_text(doubted->doubt))
      << ", so that there is nothing to hold out and no experiment to write\n";
  if (finding.round_count > 0) {
    out << "  result: " << laboratory.last_result().string() << "\n";
  }
  return run::most_urgent(laboratory.codes());
}

}  // namespace bellmark::tune
