#include "harness/measure/phase_recorder.hpp"

#include <algorithm>

namespace bellmark::measure {

void PhaseRecorder::begin(std::string_view phase) {
  PhaseNode& parent = *open_.back().node;
  const auto found = std::ranges::find_if(parent.children,
                                          [&](const auto& child) { return child->name == phase; });
  PhaseNode* node = nullptr;
  if (found != parent.children.end()) {
    node = found->get();
  } else {
    parent.children.push_back(std::make_unique<PhaseNode>());
    node = parent.children.back().get();
    node->name = phase;
  }
  ++node->count;
  open_.push_back({node, clock_.now_ns()});
}

void PhaseRecorder::note(std::string_view name, std::uint64_t value) {
  auto& notes = open_.back().node->notes;
  const auto found = std::ranges::find_if(notes, [&](const auto& n) { return n.first == name; });
  if (found != notes.end()) {
    found->second += value;
  } else {
    notes.emplace_back(name, value);
  }
}

void PhaseRecorder::end() {
  open_.back().node->wall_ns += clock_.now_ns() - open_.back().begin_ns;
  open_.pop_back();
}

}  // namespace bellmark::measure
