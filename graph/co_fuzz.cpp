// Fuzz target: a `.co` file; the first byte is the graph's vertex count.
#include <cstddef>
#include <cstdint>

#include "base/error.hpp"
#include "graph/fuzz_support.hpp"

namespace bellmark {
namespace {

void check(std::string_view bytes, Vertex vertex_count) {
  const std::vector<Coordinate> found = parse_co(bytes, "fuzz.co", vertex_count);
  require(found.size() == vertex_count, "one coordinate a vertex");
  if (is_gzip(bytes)) return;
  std::vector<Coordinate> expected(vertex_count);
  for (const auto& record : plain_records(bytes, 'v')) {
    require(record.size() == 3, "three numbers on a vertex line");
    expected.at(static_cast<std::size_t>(record[0] - 1)) = {static_cast<std::int32_t>(record[1]),
                                                            static_cast<std::int32_t>(record[2])};
  }
  require(found == expected, "the coordinates of the file");
  const std::filesystem::path path = scratch_file(".co");
  write_co(Graph::from_arcs(vertex_count, {}, found), path);
  require(vertex_count == 0 || read_co(path, vertex_count) == found, "the same when written");
  std::filesystem::remove(path);
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
