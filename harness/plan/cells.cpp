#include "harness/plan/cells.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/machine/location.hpp"
#include "harness/plan/axes.hpp"
#include "harness/plan/words.hpp"

namespace bellmark::plan {
namespace {

std::string rule_text(const QueryRule& rule) {
  std::string text = rule.kind + "/" + std::to_string(rule.count) + "/" +
                     std::to_string(rule.seed) + "/" + rule.file;
  for (const std::uint64_t id : rule.list) text += "," + std::to_string(id);
  return text;
}

/// Throws InputError when one of them belongs to another problem.
std::vector<Selection> selections_of(const std::string& variant, const std::string& problem) {
  std::vector<Selection> selections = Registry::global().select(variant);
  const auto is_other = [&](const Selection& selection) {
    return selection.family->problem() != problem;
  };
  // A program may answer several problems under one name.
  if (variant.starts_with("external/") && !std::ranges::all_of(selections, is_other)) {
    std::erase_if(selections, is_other);
  }
  for (const Selection& selection : selections) {
    if (selection.family->problem() == problem) continue;
    throw InputError("variant '" + selection.name() + "'",
                     "does not answer problem '" + problem + "'",
                     "name a variant of " + problem + "/");
  }
  return selections;
}

/// `axes` without the keys of programs that this variant doesn't know. So a rival of a program may
/// stand beside it, whatever its settings are.
Json without_keys_of_programs(Json axes, const std::string& pattern, const Experiment& experiment) {
  if (experiment.programs.empty()) return axes;
  // An alias has a colon of its own, and no braces.
  const bool has_braces = pattern.find('{') != std::string::npos;
  const std::string family = has_braces ? pattern.substr(0, pattern.find(':')) : pattern;
  if (family.find_first_of("*?{") != std::string::npos) return axes;
  const std::vector<Selection> known = Registry::global().select(family);
  for (const external::Program& program : experiment.programs) {
    for (const Key& key : program.settings) {
      const bool is_known = std::ranges::any_of(known, [&](const Selection& selection) {
        return selection.family->key(key.name) != nullptr || !selection.family->absence.empty();
      });
      if (!is_known && pattern.find('{' + key.name + '}') == std::string::npos) {
        axes.erase(key.name);
      }
    }
  }
  return axes;
}

/// The place of a cell, and its number of processes. A need that this machine can't meet becomes
/// its `unmet`.
void place_cell(Cell& cell, const Experiment& experiment, const machine::Topology& topology) {
  const auto axis = [&](const char* name, const Json& otherwise) {
    return cell.axes.contains(name) ? cell.axes[name] : otherwise;
  };
  const std::string where = "experiment '" + experiment.id + "'";
  const auto count = [&](const std::string& name, std::uint64_t otherwise, std::uint64_t most) {
    const Json value = axis(name.c_str(), otherwise);
    if (!value.is_number_integer() || value.get<std::int64_t>() < 1) {
      throw InputError(where, name + " = " + axis_text(value) + " is not a number from 1 on",
                       "write e.g. " + name + " = [1, 2]");
    }
    if (value.get<std::uint64_t>() > most) {
      throw InputError(where, name + " = " + axis_text(value) + " is above " + std::to_string(most),
                       "lower it");
    }
    return value.get<std::size_t>();
  };
  cell.process_count = count("processes", experiment.process_count, kMostProcesses);
  cell.rank_count = count("ranks", experiment.rank_count, kMostRanks);
  if (!experiment.launcher.empty()) {
    cell.launcher = launcher_words(experiment.launcher, cell.rank_count);
    if (cell.process_count > 1) {
      throw InputError(where, "processes at once can't be launched as ranks too",
                       "leave one of them out");
    }
  } else if (cell.rank_count > 1) {
    throw InputError(where,
                     "ranks = " + std::to_string(cell.rank_count) + ", but nothing launches them",
                     "add --launcher 'mpirun -n {ranks}' (or 'srun -n {ranks}'), or write it as "
                     "launcher under [run]");
  }
  cell.frequency = axis_text(axis("frequency", experiment.frequency));
  cell.placement = axis_text(cell.axes["placement"]);
  cell.pages = experiment.pages;
  if (cell.axes.contains("pages")) cell.pages = machine::pages_of(axis_text(cell.axes["pages"]));
  cell.memory = axis_text(axis("memory", machine::kSystemMemory));
  machine::check_memory_word(cell.memory);
  cell.start =
      measure::start_of(axis_text(axis("start", measure::to_string(measure::Start::as_left))));
  if (cell.start == measure::Start::cold && cell.process_count > 1) {
    throw InputError(where,
                     "processes at once can't start cold: one would empty the others' caches",
                     "leave out start=cold, or measure one process at a time");
  }
  try {
    const machine::Placement placement = machine::expand(topology, cell.placement).front();
    cell.placement = placement.word;
    if (!placement.workers.empty() && placement.workers.size() < cell.process_count) {
      throw InputError(where,
                       std::to_string(cell.process_count) + " processes at once, but places for " +
                           std::to_string(placement.workers.size()) + " at '" + placement.word +
                           "'",
                       "name a place for each, e.g. pair:same-package or core:0-1");
    }
    cell.unmet = machine::frequency_absence(cell.frequency, machine::pus_of(placement));
    if (cell.unmet.empty()) cell.unmet = machine::memory_absence(topology, cell.memory, placement);
    // As a rule of all cells they describe the machine. As an axis they are the question.
    if (cell.unmet.empty() && cell.axes.contains("pages")) {
      cell.unmet = machine::pages_absence(cell.pages);
    }
  } catch (const UnmetError& error) {
    cell.unmet = error.what();
  }
}

/// The build that measures the cell. Other builds get the variant's first names, because older
/// builds don't know later names.
void give_build(Cell& cell, const Selection& selection, const Plan& plan) {
  if (!cell.axes.contains(kBuildAxis)) return;
  const std::vector<Build>& builds = plan.options.builds;
  const auto found = std::ranges::find(builds, axis_text(cell.axes[kBuildAxis]), &Build::name);
  if (found == builds.end()) {
    throw InputError("axis '" + std::string(kBuildAxis) + "'", "is that of builds",
                     "name them: bellmark compare --build DIR --build DIR -v ...");
  }
  cell.build = static_cast<std::size_t>(found - builds.begin());
  cell.variant = Registry::global().name_for_builds(selection);
}

/// Adds a cell once, even if two points lead to it.
void add_cell(Plan& plan, Cell cell) {
  if (std::ranges::find(plan.cells, cell.id, &Cell::id) != plan.cells.end()) return;
  constexpr std::size_t kMost = 10'000;
  if (plan.cells.size() == kMost) {
    throw InputError("experiment '" + plan.experiment.id + "'",
                     "has more than " + std::to_string(kMost) + " cells",
                     "give its axes fewer values, or make several experiments of it");
  }
  plan.cells.push_back(std::move(cell));
}

/// A canonical name without the settings that are its family's defaults.
std::string short_name(const std::string& variant) {
  const Selection selection = Registry::global().select(variant).front();
  Settings kept;
  for (const auto& [name, value] : selection.settings.entries()) {
    const Key* const key = selection.family->key(name);
    if (key == nullptr || value != key->default_value) kept.set(name, value);
  }
  return selection.family->name + (kept.entries().empty() ? "" : ":" + kept.text());
}

/// The variants by short names, or by whole ones where two would have the same. Another build may
/// have other defaults, so its names stay whole.
std::map<std::string, std::string> shown_variants(const std::vector<Cell>& cells) {
  std::map<std::string, std::string> shown;
  std::map<std::string, std::set<std::string>> named;
  for (const Cell& cell : cells) {
    shown[cell.variant] = cell.build ? cell.variant : short_name(cell.variant);
    named[shown[cell.variant]].insert(cell.variant);
  }
  for (auto& [variant, name] : shown) {
    if (named[name].size() > 1) name = variant;
  }
  return shown;
}

/// Labels each cell with the axes that vary between the cells, and with the variant when it isn't
/// an axis.
void label_cells(std::vector<Cell>& cells) {
  std::map<std::string, std::vector<std::string>> values;
  std::vector<std::string> variants;
  for (const Cell& cell : cells) {
    for (const auto& [name, value] : cell.axes.items()) add_once(values[name], axis_text(value));
  }
  for (Cell& cell : cells) {
    std::vector<std::string> parts;
    for (const auto& [name, value] : cell.axes.items()) {
      if (values[name].size() > 1) parts.push_back(name + "=" + axis_text(value));
    }
    cell.label = join(parts, ", ");
  }
  for (Cell& cell : cells) {
    const auto same = [&](const Cell& other) { return other.label == cell.label; };
    if (cell.label.empty() || std::ranges::count_if(cells, same) > 1) variants.push_back(cell.id);
  }
  if (variants.empty()) return;
  const std::map<std::string, std::string> shown = shown_variants(cells);
  for (Cell& cell : cells) {
    if (!has(variants, cell.id)) continue;
    const std::string& variant = shown.at(cell.variant);
    cell.label = cell.label.empty() ? variant : variant + ", " + cell.label;
  }
}

}  // namespace

std::string place_of_axis(const Plan& plan, const std::string& name, const std::string& value) {
  const Experiment& file = plan.experiment;
  if (file.text.empty() || find_axis(axes_of(plan.options), name) != nullptr) return {};
  const bool is_short = plan.options.form != "full";
  if (is_short && find_axis(file.quick.axes, name) != nullptr) {
    return place_of(file, "quick.axes." + name, value);
  }
  return place_of(file, (states(file, "axes." + name) ? "axes." : "run.") + name, value);
}

std::string place_of_fault(const Plan& plan, const std::string& pattern,
                           const std::string& message) {
  // Suggestions come last in a message, and may quote correct parts of the file.
  std::size_t first = std::string::npos;
  std::string place;
  const auto look_for = [&](const std::string& text, const std::string& axis,
                            const std::string& value) {
    const std::size_t at = message.find("'" + text + "'");
    if (at >= first) return;
    first = at;
    place = place_of_axis(plan, axis, value);
  };
  for (const auto& [name, values] : plan.experiment.axes) {
    look_for(name, name, "");
    for (const std::string& value : texts_of(values)) look_for(value, name, value);
  }
  look_for(plan.experiment.frequency, "frequency", plan.experiment.frequency);
  if (first != std::string::npos || pattern.empty() || !plan.options.variants.empty()) return place;
  const std::string family = pattern.substr(0, pattern.find(':'));
  for (const auto& [name, values] : plan.experiment.axes) {
    if (family.find('{' + name + '}') == std::string::npos) continue;
    for (const std::string& value : texts_of(values)) {
      if (message.find(value) != std::string::npos) return place_of_axis(plan, name, value);
    }
  }
  return plan.experiment.text.empty() ? "" : place_of(plan.experiment, "variants", pattern);
}

std::string cell_id(const Cell& cell, const Experiment& experiment) {
  std::vector<std::string> parts = {cell.first_name, experiment.problem, cell.graph,
                                    rule_text(experiment.queries),
                                    axis_text(cell.axes["placement"])};
  if (cell.process_count > 1) parts.push_back("processes=" + std::to_string(cell.process_count));
  if (!cell.launcher.empty()) parts.push_back("ranks=" + std::to_string(cell.rank_count));
  if (cell.frequency != machine::kUnchanged) parts.push_back("frequency=" + cell.frequency);
  if (cell.axes.contains("pages")) parts.push_back("pages=" + machine::to_string(cell.pages));
  if (cell.memory != machine::kSystemMemory) parts.push_back("memory=" + cell.memory);
  if (cell.start != measure::Start::as_left) {
    parts.push_back("start=" + measure::to_string(cell.start));
  }
  if (cell.build) parts.push_back("build=" + axis_text(cell.axes[kBuildAxis]));
  if (cell.build && cell.variant != cell.first_name) parts.push_back("written=" + cell.variant);
  const std::string text = join(parts, "\n");
  return hex64(digest64(std::as_bytes(std::span(text))));
}

const Exclude* exclude_of(const Experiment& experiment, const Json& axes) {
  const auto found = std::ranges::find_if(
      experiment.excludes, [&](const Exclude& exclude) { return exclude.where.matches(axes); });
  return found == experiment.excludes.end() ? nullptr : &*found;
}

void make_cells(Plan& plan, const machine::Topology& topology) {
  Experiment& experiment = plan.experiment;
  const auto has_axis = [&](const char* name) {
    return std::ranges::find(experiment.axes, name, &Axis::first) != experiment.axes.end();
  };
  const std::string input = Registry::global().input_axis(experiment.problem);
  for (const char* const word : kInputAxes) {
    if (word == input || !has_axis(word)) continue;
    throw InputError(
        "experiment '" + experiment.id + "'",
        "axis '" + std::string(word) + "' is not of problem '" + experiment.problem + "'",
        "name its inputs by the axis '" + input + "'");
  }
  if (!has_axis(input.c_str())) {
    const std::string otherwise = Registry::global().default_input(experiment.problem);
    if (otherwise.empty()) {
      throw InputError("experiment '" + experiment.id + "'", "no " + input + " to run on",
                       "add " + input + " = [...] under [axes] or name one with " +
                           (input == "graph" ? "-g" : "-i"));
    }
    experiment.axes.insert(experiment.axes.begin(), text_axis(input, {otherwise}));
  }
  if (!plan.options.builds.empty()) {
    std::vector<std::string> names;
    for (const Build& build : plan.options.builds) names.push_back(build.name);
    // The last axis: compared cells are measured one after the other.
    experiment.axes.push_back(text_axis(kBuildAxis, names));
  }
  if (!has_axis("placement")) {
    replace_axis(experiment.axes, text_axis("placement", {experiment.placement}));
  }
  const auto place_of_value = [&](const std::string& message) {
    return place_of_fault(plan, {}, message);
  };
  with_place([&] { expand_placements(experiment.axes, topology); }, place_of_value);

  std::vector<std::size_t> excluded(experiment.excludes.size(), 0);
  for (const Json& axes : cross(experiment.axes)) {
    if (const Exclude* const exclude = exclude_of(experiment, axes); exclude != nullptr) {
      ++excluded[static_cast<std::size_t>(exclude - experiment.excludes.data())];
      continue;
    }
    const std::string graph =
        with_place([&] { return fill(input, axis_text(axes[input]), axes); }, place_of_value);
    for (const std::string& pattern : experiment.variants) {
      const auto selections = with_place(
          [&] {
            const Json own = without_keys_of_programs(axes, pattern, experiment);
            return selections_of(fill_variant(pattern, own, experiment.axes), experiment.problem);
          },
          [&](const std::string& message) { return place_of_fault(plan, pattern, message); });
      for (const Selection& selection : selections) {
        Cell cell;
        cell.variant = selection.name();
        cell.first_name = Registry::global().first_name(selection);
        cell.pattern = pattern;
        cell.axes = axes;
        cell.graph = graph;
        with_place([&] { place_cell(cell, experiment, topology); }, place_of_value);
        give_build(cell, selection, plan);
        if (cell.unmet.empty()) cell.unmet = selection.refuse_ranks(cell.rank_count);
        cell.needs_cuda = selection.needs(Need::cuda);
        cell.batch = selection.family->description().batch;
        cell.id = cell_id(cell, experiment);
        add_cell(plan, std::move(cell));
      }
    }
  }
  for (std::size_t i = 0; i < excluded.size(); ++i) {
    if (excluded[i] == 0) continue;
    plan.cuts.push_back("excluded: " + experiment.excludes[i].where.text() + " (" +
                        experiment.excludes[i].why + ")");
  }
  if (plan.cells.empty()) {
    throw InputError("experiment '" + experiment.id + "'", "no cells are left",
                     "look at its axes and excludes");
  }
  label_cells(plan.cells);
}

namespace {

/// Verdicts need the least difference that the machine can show. Several processes at once are left
/// out: each would have a second cell, and the others would wait for it.
void measure_baselines_twice(Plan& plan) {
  const auto is_judged = [](const Claim& claim) { return claim.kind != ClaimKind::absolute; };
  if (std::ranges::none_of(plan.experiment.claims, is_judged)) return;
  if (plan.options.form == "smoke") return;
  std::vector<std::string> placements;
  for (Group& group : plan.groups) {
    if (group.process_count > 1) continue;
    for (const std::size_t i : group.cells) {
      const Cell& cell = plan.cells[i];
      const std::string placement = axis_text(cell.axes["placement"]);
      if (!cell.unmet.empty() || plan.baseline_of(cell).id != cell.id) continue;
      if (has(placements, placement)) continue;
      placements.push_back(placement);
      group.twice = i;
    }
  }
}

}  // namespace

void make_groups(Plan& plan) {
  plan.groups.clear();
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const Cell& cell = plan.cells[i];
    const auto same = [&](const Group& group) {
      return group.graph == cell.graph && group.placement == cell.placement &&
             group.frequency == cell.frequency && group.launcher == cell.launcher &&
             group.pages == cell.pages && group.memory == cell.memory &&
             group.build == cell.build && group.process_count == 1 && cell.process_count == 1;
    };
    const auto found = std::ranges::find_if(plan.groups, same);
    if (found != plan.groups.end()) {
      found->cells.push_back(i);
    } else {
      plan.groups.push_back({cell.graph,
                             cell.placement,
                             cell.process_count,
                             cell.rank_count,
                             cell.launcher,
                             cell.frequency,
                             {i},
                             cell.build,
                             {},
                             cell.pages,
                             cell.memory});
    }
  }
  measure_baselines_twice(plan);
}

std::vector<const Cell*> Plan::find(const Selector& selector) const {
  std::vector<const Cell*> found;
  for (const Cell& cell : cells) {
    if (selector.matches(cell.axes)) found.push_back(&cell);
  }
  return found;
}

std::vector<const Cell*> Plan::baselines() const {
  const std::string& variant = experiment.baseline_variant;
  if (experiment.baseline.empty() && variant.empty()) return {};
  std::vector<const Cell*> found = find(experiment.baseline);
  std::erase_if(found,
                [&](const Cell* cell) { return !variant.empty() && cell->variant != variant; });
  return found;
}

namespace {

/// The cell of the first build that is equal otherwise; the cell itself when there is none.
const Cell& of_first_build(const Plan& plan, const Cell& cell) {
  const auto same = [&](const Cell& other) {
    if (other.build != 0 || other.variant != cell.variant) return false;
    return std::ranges::all_of(cell.axes.items(), [&](const auto& axis) {
      return axis.key() == kBuildAxis || other.axes.at(axis.key()) == axis.value();
    });
  };
  const auto found = std::ranges::find_if(plan.cells, same);
  return found == plan.cells.end() ? cell : *found;
}

}  // namespace

const Cell& Plan::baseline_of(const Cell& cell) const {
  if (cell.build) return of_first_build(*this, cell);
  std::vector<const Cell*> candidates = baselines();
  if (candidates.empty()) {
    for (const Cell& first : cells) {
      if (std::ranges::none_of(candidates, [&](auto* c) { return c->graph == first.graph; })) {
        candidates.push_back(&first);
      }
    }
  }
  const auto shared = [&](const Cell* candidate) {
    int count = 0;
    for (const auto& [name, value] : cell.axes.items()) {
      count += candidate->axes.at(name) == value ? 1 : 0;
    }
    return count;
  };
  return **std::ranges::max_element(candidates, {}, shared);
}

}  // namespace bellmark::plan
