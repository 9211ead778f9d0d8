#include "algorithms/problems/p2p/lower_bound.hpp"

#include <algorithm>

namespace bellmark {

void LowerBound::Side::begin(Vertex end) {
  forget();
  label(end, 0);
}

void LowerBound::Side::label(Vertex v, Distance distance) {
  if (labels[v] == kUnreached) reached.push_back(v);
  labels[v] = distance;
  queue.push(distance, v);
}

void LowerBound::Side::grow(Distance farthest) {
  const auto [distance, u] = queue.top();
  queue.pop();
  if (distance != labels[u]) return;  // a shorter path was found later
  const Graph& arcs = graph;
  for (Offset e = arcs.row_offsets()[u]; e < arcs.row_offsets()[std::size_t{u} + 1]; ++e) {
    const Distance through = distance + arcs.length(e);
    const Vertex v = arcs.heads()[e];
    if (through <= farthest && through < labels[v]) label(v, through);
  }
}

void LowerBound::Side::forget() {
  for (const Vertex v : reached) labels[v] = kUnreached;
  reached.clear();
  queue.clear();
}

LowerBound::LowerBound(const Graph& graph)
    : reversed_(graph.properties().symmetric ? std::nullopt : std::optional(transposed(graph))),
      is_negative_(graph.properties().least_length < 0),
      forward_(graph),
      backward_(reversed_ ? *reversed_ : graph) {}

bool LowerBound::proves(Vertex source, Vertex target, Distance distance) {
  if (is_negative_ || distance == kUnreached) return false;
  if (distance <= 0) return true;
  search(source, target, distance);
  const Distance forward_radius = std::min(forward_.radius(), distance);
  // The heights of both ends.
  return forward_.labels[source] == 0 && forward_.labels[target] >= forward_radius &&
         backward_.labels[target] == 0 && backward_.labels[source] >= distance - forward_radius &&
         no_arc_rises_too_far(distance, forward_radius);
}

void LowerBound::search(Vertex source, Vertex target, Distance distance) {
  forward_.begin(source);
  backward_.begin(target);
  while (forward_.radius() < distance && backward_.radius() < distance - forward_.radius()) {
    Side& smaller = forward_.queue.size() <= backward_.queue.size() ? forward_ : backward_;
    smaller.grow(distance);
  }
}

bool LowerBound::no_arc_rises_too_far(Distance distance, Distance forward_radius) const {
  const Distance backward_radius = distance - forward_radius;
  const auto is_inside = [&](Vertex v) { return backward_.labels[v] < backward_radius; };
  for (const Vertex u : forward_.reached) {
    const Distance label = forward_.labels[u];
    if (label >= forward_radius) continue;
    // No arc then rises on both sides, but for those that lead from one radius into the other.
    if (is_inside(u)) return false;
    const Graph& arcs = forward_.graph;
    for (Offset e = arcs.row_offsets()[u]; e < arcs.row_offsets()[std::size_t{u} + 1]; ++e) {
      const Vertex v = arcs.heads()[e];
      const Distance through = label + arcs.length(e);
      if (std::min(forward_.labels[v], forward_radius) > through) return false;
      if (is_inside(v) && through + backward_.labels[v] < distance) return false;
    }
  }
  for (const Vertex v : backward_.reached) {
    const Distance label = backward_.labels[v];
    if (label >= backward_radius) continue;
    const Graph& arcs = backward_.graph;
    for (Offset e = arcs.row_offsets()[v]; e < arcs.row_offsets()[std::size_t{v} + 1]; ++e) {
      const Distance through = label + arcs.length(e);
      if (std::min(backward_.labels[arcs.heads()[e]], backward_radius) > through) return false;
    }
  }
  return true;
}

}  // namespace bellmark
