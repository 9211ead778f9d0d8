// Fuzz target: a `.ss` file; the first byte is the graph's vertex count.
#include <cstddef>
#include <cstdint>

#include "base/error.hpp"
#include "graph/fuzz_support.hpp"

namespace bellmark {
namespace {

void check(std::string_view bytes, Vertex vertex_count) {
  const std::vector<Vertex> found = parse_ss(bytes, "fuzz.ss", vertex_count);
  for (const Vertex source : found) require(source < vertex_count, "sources in range");
  if (is_gzip(bytes)) return;
  std::vector<Vertex> expected;
  for (const auto& record : plain_records(bytes, 's')) {
    require(record.size() == 1, "one number on a source line");
    expected.push_back(static_cast<Vertex>(record[0] - 1));
  }
  require(found == expected, "the sources of the file");
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
