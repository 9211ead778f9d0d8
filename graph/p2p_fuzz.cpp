// Fuzz target: a `.p2p` file; the first byte is the graph's vertex count.
#include <cstddef>
#include <cstdint>

#include "base/error.hpp"
#include "graph/fuzz_support.hpp"

namespace bellmark {
namespace {

void check(std::string_view bytes, Vertex vertex_count) {
  using Queries = std::vector<std::pair<Vertex, Vertex>>;
  const Queries found = parse_p2p(bytes, "fuzz.p2p", vertex_count);
  for (const auto& [source, target] : found) {
    require(source < vertex_count && target < vertex_count, "queries in range");
  }
  if (is_gzip(bytes)) return;
  Queries expected;
  for (const auto& record : plain_records(bytes, 'q')) {
    require(record.size() == 2, "two numbers on a query line");
    expected.emplace_back(static_cast<Vertex>(record[0] - 1), static_cast<Vertex>(record[1] - 1));
  }
  require(found == expected, "the queries of the file");
}

}  // namespace
}  // namespace bellmark

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    bellmark::check({reinterpret_cast<const char*>(data) + 1, size - 1}, data[0]);
  } catch (const bellmark::InputError&) {
    // A refusal is a good answer. Any other exception is a finding.
  }
  return 0;
}
