#include "harness/cli/judged.hpp"

#include <algorithm>
#include <iostream>
#include <optional>

#include "base/error.hpp"
#include "base/installation.hpp"
#include "base/text.hpp"
#include "harness/plan/experiment.hpp"
#include "harness/verdict/outcome.hpp"
#include "harness/verdict/rules_version.hpp"
#include "harness/verdict/verdict.hpp"

namespace bellmark::cli {
namespace {

/// The experiment that states a result's claims by the rules of this build: the named one, or the
/// result's own. A result from before these rules takes this build's experiment of its name.
/// Nothing if none is known. `notes` gets the remarks.
std::optional<plan::Experiment> experiment_of(const Json& result, const std::string& named,
                                              Notes& notes) {
  if (!named.empty()) return plan::read_experiment(plan::find_experiments(named).front());
  const auto text = result.at("provenance").at("spec").get<std::string>();
  if (text.empty()) return std::nullopt;
  const auto id = result.at("experiment").at("id").get<std::string>();
  const std::string left = ": verdicts are left as they are";
  if (result.contains("rules")) {
    try {
      return plan::parse_experiment(text, "the result's own experiment");
    } catch (const InputError& error) {
      notes.add(id, "measured by an experiment that this build can't read (" +
                        std::string(error.what()) + ")" + left);
      return std::nullopt;
    }
  }
  const std::string older = "measured before these rules";
  try {
    plan::Experiment known = plan::read_experiment(plan::find_experiments(id).front());
    if (known.problem != result.at("experiment").at("problem").get<std::string>()) {
      notes.add(id, older + ", on another problem than the experiment's" + left);
      return std::nullopt;
    }
    notes.add(id, older + ": the claims are those of this build");
    return known;
  } catch (const InputError&) {
    notes.add(id, older + ", and no experiment has the name" + left);
    return std::nullopt;
  }
}

/// True if none of a verdict's cells is in the result: the claim was rewritten for other cells.
bool lacks_its_cells(const Json& verdict) {
  return std::ranges::all_of(verdict.at("parts"), [](const Json& part) {
    return part.at("verdict") == verdict::kShown || part.at("measured").empty();
  });
}

/// The verdicts of a result from before these rules: by the claims of this build. If those speak of
/// other cells, its own claims judge.
Json judge_older(const plan::Experiment& known, const Json& result, Notes& notes) {
  Json verdicts = verdict::judge(known, result);
  if (std::ranges::none_of(verdicts, lacks_its_cells)) return verdicts;
  const plan::Experiment own =
      plan::parse_experiment(result.at("provenance").at("spec").get<std::string>(),
                             "the result's own experiment", plan::Rules::older);
  for (const Json& older : verdict::judge(own, result)) {
    for (Json& verdict : verdicts) {
      if (verdict.at("claim") != older.at("claim") || !lacks_its_cells(verdict)) continue;
      verdict = older;
      notes.add(known.id + ": " + older.at("claim").get<std::string>(),
                "judged by the result's own bounds: its cells are others");
    }
  }
  return verdicts;
}

/// `version 2 of 2026-11-24 (sha256 0123456789ab)`
std::string rules_text(const Json& rules) {
  constexpr std::size_t kDigits = 12;
  return "version " + rules.at("version").dump() + " of " + rules.at("date").get<std::string>() +
         " (sha256 " + rules.at("digest").get<std::string>().substr(0, kDigits) + ")";
}

/// The rules that judged a result, if they are not this build's; "" also for results without rules.
std::string other_rules_text(const Json& result) {
  if (!result.contains("rules") || result.at("rules") == verdict::rules_json()) return {};
  return "judged by " + rules_text(result.at("rules")) + " of the rules, this build judges by " +
         rules_text(verdict::rules_json());
}

}  // namespace

void Notes::print() const {
  constexpr std::size_t kNamed = 3;
  for (const auto& [text, names] : names_) {
    std::vector<std::string> named(names.begin(), names.end());
    const std::size_t count = named.size();
    named.resize(std::min(count, kNamed));
    std::string list = join(named, ", ");
    if (count > kNamed) list += " and " + std::to_string(count - kNamed) + " more";
    std::cerr << installation().name << ": " << escaped(list) << (count == 1 ? " was " : " were ")
              << text << "\n";
  }
}

Notes judge_anew(std::vector<Json>& results, const std::string& experiment) {
  Notes notes;
  for (Json& result : results) {
    if (const std::string note = other_rules_text(result); !note.empty()) {
      notes.add(result.at("experiment").at("id").get<std::string>(), note);
    }
    const auto known = experiment_of(result, experiment, notes);
    if (!known) continue;
    const bool is_older = !result.contains("rules") && experiment.empty();
    result["verdicts"] =
        is_older ? judge_older(*known, result, notes) : verdict::judge(*known, result);
  }
  return notes;
}

}  // namespace bellmark::cli
