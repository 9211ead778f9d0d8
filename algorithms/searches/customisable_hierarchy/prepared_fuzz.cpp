// Fuzz target: a prepared file of a hierarchy or of landmarks. The first two digits of the graph's
// digest name the content and the graph. Sizes, digests and checksums are put right first, so that
// damage gets past them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "algorithms/contract/prepared.hpp"
#include "algorithms/searches/alt/landmarks.hpp"
#include "algorithms/searches/contraction_hierarchy/contraction.hpp"
#include "algorithms/searches/contraction_hierarchy/shortcuts.hpp"
#include "algorithms/searches/customisable_hierarchy/customisation.hpp"
#include "algorithms/searches/customisable_hierarchy/elimination.hpp"
#include "algorithms/searches/customisable_hierarchy/query.hpp"
#include "base/error.hpp"
#include "graph/fuzz_support.hpp"

namespace bellmark {
namespace {

constexpr Vertex kVertexCount = 12;  // of the corpus's graphs

/// A ring with two chords: the elimination of any 12 vertices may be asked with it.
Graph some_graph() {
  std::vector<Arc> arcs;
  for (Vertex v = 0; v < kVertexCount; ++v) {
    arcs.push_back({v, (v + 1) % kVertexCount, static_cast<Length>(v)});
  }
  arcs.push_back({0, 6, 3});
  arcs.push_back({9, 3, 1});
  return Graph::from_arcs(kVertexCount, arcs);
}

void query_all(const customisable_hierarchy::Elimination& elimination) {
  using namespace customisable_hierarchy;
  const Graph graph = some_graph();
  Customisation<std::uint32_t> customisation(elimination, graph, 2);
  customisation.customise(graph.lengths(), 1000, one_thread());
  Query<std::uint32_t> query;
  query.prepare(elimination, customisation.rows(0), customisation.rows(1));
  std::vector<Vertex> path;
  for (Vertex source = 0; source < kVertexCount; ++source) {
    for (Vertex target = 0; target < kVertexCount; ++target) {
      query.run(source, target);
      query.unpack(path);
      require(query.is_reached() == !path.empty(), "a path where there is a distance");
    }
  }
}

/// The paths of all arcs.
void unpack_all(const contraction_hierarchy::Hierarchy<std::uint32_t>& hierarchy) {
  contraction_hierarchy::Unpacking unpacking;
  std::vector<Vertex> path;
  for (const auto* rows : {&hierarchy.forward, &hierarchy.backward}) {
    for (const auto& arc : rows->arcs) {
      path.clear();
      unpacking.append(arc.stretch, hierarchy.vertex[arc.vertex], hierarchy.shortcuts, path);
      const auto is_vertex = [](Vertex v) { return v < kVertexCount; };
      require(std::ranges::all_of(path, is_vertex), "a path of the graph's vertices");
    }
  }
}

/// All bounds of the vertices for each other.
void bound_all(prepared::Reader& reader) {
  alt::Landmarks<std::uint32_t> landmarks;
  landmarks.load(kVertexCount, 3, reader);
  for (Vertex v = 0; v < kVertexCount; ++v) {
    for (Vertex target = 0; target < kVertexCount; ++target) {
      for (std::size_t i = 0; i < landmarks.count(); ++i) {
        const std::uint32_t bound =
            alt::least_distance(landmarks.row(v)[i], landmarks.row(target)[i]);
        require(v != target || bound == 0, "no way from a vertex to itself");
      }
    }
  }
}

/// The first digit of the digest as the kind of content.
enum class Content { elimination = 0, hierarchy = 1, landmarks = 2 };

void check(std::span<const std::uint8_t> data) {
  const auto words = std::make_shared<std::vector<std::uint64_t>>((data.size() + 7) / 8);
  std::ranges::copy(data, reinterpret_cast<std::uint8_t*>(words->data()));
  const std::span bytes(reinterpret_cast<const std::byte*>(words->data()), data.size());
  prepared::Header header;
  const prepared::Identity identity{"fuzz", 1, std::string(32, '0')};
  auto content = Content::hierarchy;
  bool is_symmetric = false;
  if (data.size() >= sizeof header) {
    std::memcpy(&header, data.data(), sizeof header);
    content = static_cast<Content>(static_cast<unsigned char>(header.graph_digest[0]) % 3);
    is_symmetric = header.graph_digest[1] % 2 == 0;
    const std::span<const std::byte> rest = bytes.subspan(sizeof header);
    prepared::seal(header, identity, std::span(&rest, 1));
    std::memcpy(words->data(), &header, sizeof header);
  }
  prepared::Reader reader(words, bytes, identity, "fuzz.prepared");
  switch (content) {
    case Content::elimination:
      query_all(customisable_hierarchy::read(reader, kVertexCount));
      break;
    case Content::hierarchy:
      unpack_all(contraction_hierarchy::read<std::uint32_t>(reader, kVertexCount, is_symmetric));
      break;
    case Content::landmarks:
      bound_all(reader);
      break;
  }
}

}  // namespace
}  // namespace bellmark

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    bellmark::check({data, size});
  } catch (const bellmark::InputError&) {
    // A refusal is a good answer; anything else that is thrown is a finding.
  }
  return 0;
}
