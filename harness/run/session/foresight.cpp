#include "harness/run/session/foresight.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "algorithms/contract/registry.hpp"
#include "base/error.hpp"
#include "harness/machine/launch.hpp"
#include "harness/plan/cells.hpp"
#include "harness/plan/words.hpp"
#include "harness/run/worker/probe.hpp"

namespace bellmark::run {
namespace {

/// An input that is opened when the first cell asks for it.
class Input {
 public:
  Input(const plan::Plan& plan, const plan::Cell& cell) : plan_(plan), reference_(cell.graph) {
    opens_at_once_ = plan::with_place(
        [&] { return Registry::global().look_ahead(plan.experiment.problem, reference_); },
        [&](const std::string&) {
          return plan::place_of_axis(plan, plan.options.input_axis,
                                     plan::axis_text(cell.axes[plan.options.input_axis]));
        });
  }

  /// Null if opening would take too long.
  const Workload* open() {
    if (opens_at_once_ && workload_ == nullptr) {
      workload_ = Registry::global().open_workload(plan_.experiment.problem, reference_,
                                                   plan_.experiment.queries);
    }
    return workload_.get();
  }

 private:
  const plan::Plan& plan_;
  std::string reference_;
  bool opens_at_once_ = false;
  std::unique_ptr<Workload> workload_;
};

bool asks_input(const Selection& selection) {
  return selection.needs(Need::symmetric) || selection.needs(Need::sorted_rows) ||
         selection.needs(Need::non_negative);
}

std::string reason_of(const plan::Cell& cell, Input& input, Foresight& foresight) {
  if (!cell.unmet.empty()) return cell.unmet;
  const bool is_rank = !cell.launcher.empty();
  if (is_rank) {
    const std::string absence = machine::launch_absence(cell.launcher);
    if (!absence.empty()) return "needs " + to_string(Need::mpi) + ": " + absence;
  }
  const Selection selection = Registry::global().select(cell.variant).front();
  std::string here = obstacle_here(selection, is_rank).reason;
  if (!here.empty() || is_rank || !asks_input(selection)) return here;
  const Workload* const workload = input.open();
  if (workload == nullptr) {
    plan::add_once(foresight.unopened, cell.graph);
    return {};
  }
  std::string ignored;
  return find_obstacle(selection, *workload, is_rank, ignored).reason;
}

}  // namespace

void Reasons::add(const std::string& variant, const std::string& reason) {
  const std::string name = variant + ": ";
  ++counts_[reason.starts_with(name) ? reason.substr(name.size()) : reason];
}

std::string Reasons::text(std::size_t cell_count) const {
  std::size_t sum = 0;
  std::string lines;
  for (const auto& [reason, count] : counts_) {
    sum += count;
    lines += "    " + std::to_string(count) + ": " + reason + "\n";
  }
  if (sum == 0) return {};
  return "  " + std::to_string(sum) + " of " + std::to_string(cell_count) +
         " cells can't be measured here:\n" + lines;
}

Foresight foresee(const plan::Plan& plan) {
  Foresight foresight;
  std::map<std::string, Input> inputs;
  for (const plan::Cell& cell : plan.cells) {
    Input& input = inputs.try_emplace(cell.graph, plan, cell).first->second;
    const std::string reason = reason_of(cell, input, foresight);
    if (!reason.empty()) foresight.reasons.add(cell.variant, reason);
  }
  return foresight;
}

}  // namespace bellmark::run
