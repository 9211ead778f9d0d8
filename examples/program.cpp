// A program that Bellmark measures, to start your own from: Dijkstra's algorithm behind
// bellmark/worker.hpp, the only header of Bellmark that it needs.
//
//   g++ -std=c++17 -O3 -I include examples/program.cpp -o program
//
// examples/program.py is the same in Python. docs/reference/program-wire.md has the messages.
#include <chrono>
#include <fstream>
#include <functional>
#include <queue>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bellmark/worker.hpp"

namespace {

namespace worker = bellmark::worker;

class PlainDijkstra {
 public:
  // Not timed: read the graph, build a layout. `graph.settings` has what the user swept.
  void prepare(const worker::Graph& graph) {
    if (graph.format != "gr") throw std::runtime_error("it reads DIMACS text (gr) alone");
    std::ifstream file(graph.file);
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string kind;
      words >> kind;
      if (kind == "p") {
        std::size_t vertex_count = 0;
        words >> kind >> vertex_count;
        arcs_.resize(vertex_count);
      } else if (kind == "a") {
        std::size_t tail = 0;
        std::size_t head = 0;
        std::int64_t length = 0;
        words >> tail >> head >> length;
        // The file counts from first_vertex, queries and answers count from 0.
        const auto first = static_cast<std::size_t>(graph.first_vertex);
        arcs_.at(tail - first).push_back({head - first, length});
      }
    }
    if (arcs_.empty()) throw std::runtime_error(graph.file + " has no vertices");
  }

  // Timed: initialisation, the search, the whole answer. The time that is returned may leave out
  // work that is not yours; without one (void) Bellmark's clock counts.
  std::chrono::nanoseconds answer(const worker::Query& query) {
    const auto begin = std::chrono::steady_clock::now();
    answer_.distances.assign(arcs_.size(), worker::kUnreached);
    answer_.predecessors.assign(arcs_.size(), worker::kNone);
    const auto source = static_cast<std::size_t>(query.source);
    answer_.distances.at(source) = 0;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    queue.push({0, source});
    while (!queue.empty()) {
      const auto [distance, u] = queue.top();
      queue.pop();
      if (distance > answer_.distances[u]) continue;
      for (const Arc& arc : arcs_[u]) {
        const std::int64_t through = distance + arc.length;
        if (through >= answer_.distances[arc.head]) continue;
        answer_.distances[arc.head] = through;
        answer_.predecessors[arc.head] = static_cast<std::int64_t>(u);
        queue.push({through, arc.head});
      }
    }
    return std::chrono::steady_clock::now() - begin;
  }

  // Not timed: the answer to the last query. It may be asked again.
  void extract(worker::Answer& answer) const { answer = answer_; }

 private:
  struct Arc {
    std::size_t head;
    std::int64_t length;
  };
  using Entry = std::pair<std::int64_t, std::size_t>;  // a distance and a vertex

  std::vector<std::vector<Arc>> arcs_;
  worker::Answer answer_;
};

}  // namespace

int main() {
  PlainDijkstra dijkstra;
  return bellmark::serve(dijkstra, {"plain-dijkstra", "1.0", {"sssp"}});
}
