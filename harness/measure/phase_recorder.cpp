#include "harness/measure/phase_recorder.hpp"

#include <algorithm>

namespace bellmark::measure {
namespace {

void add_note(PhaseNode& node, std::string_view name, std::uint64_t value) {
  const auto found =
      std::ranges::find_if(node.notes, [&](const auto& note) { return note.first == name; });
  if (found != node.notes.end()) {
    found->second += value;
  } else {
    node.notes.emplace_back(name, value);
  }
}

}  // namespace

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
  if (marker_ != nullptr) marker_->push(phase);
  open_.push_back({node, clock_.now_ns()});
}

void PhaseRecorder::note(std::string_view name, std::uint64_t value) {
  add_note(*open_.back().node, name, value);
}

void PhaseRecorder::note_later(std::string_view name, const std::function<std::uint64_t()>& value) {
  later_.push_back({open_.back().node, std::string(name), value});
}

void PhaseRecorder::resolve() {
  for (const Later& later : later_) add_note(*later.node, later.name, later.value());
  later_.clear();
}

void PhaseRecorder::end() {
  open_.back().node->wall_ns += clock_.now_ns() - open_.back().begin_ns;
  open_.pop_back();
  if (marker_ != nullptr) marker_->pop();
}

}  // namespace bellmark::measure
