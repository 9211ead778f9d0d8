// Fuzz target: a `.gr` file, plain or gzip.
#include <cstddef>
#include <cstdint>

#include "base/error.hpp"
#include "graph/fuzz_support.hpp"

namespace bellmark {
namespace {

void check(std::string_view bytes) {
  const Graph graph = parse_gr(bytes, "fuzz.gr");
  require_sound(graph);
  if (is_gzip(bytes)) return;
  std::vector<Arc> arcs;
  for (const auto& record : plain_records(bytes, 'a')) {
    require(record.size() == 3, "three numbers on an arc line");
    arcs.push_back({static_cast<Vertex>(record[0] - 1), static_cast<Vertex>(record[1] - 1),
                    static_cast<Length>(record[2])});
  }
  std::ranges::stable_sort(arcs, {}, &Arc::tail);
  std::vector<Arc> found;
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      found.push_back({u, graph.heads()[e], graph.length(e)});
    }
  }
  require(found == arcs, "the arcs of the file");
}

}  // namespace
}  // namespace bellmark

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    bellmark::check({reinterpret_cast<const char*>(data), size});
  } catch (const bellmark::InputError&) {
    // A refusal is a good answer. Any other exception is a finding.
  }
  return 0;
}
