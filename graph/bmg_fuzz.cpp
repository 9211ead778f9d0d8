// Fuzz target: a `.bmg` file. The checksum is corrected first, so that damage gets past it.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "base/error.hpp"
#include "graph/fuzz_support.hpp"

namespace bellmark {
namespace {

void check(std::span<const std::uint8_t> data) {
  // 64-bit words, for the alignment of a mapped file.
  const auto words = std::make_shared<std::vector<std::uint64_t>>((data.size() + 7) / 8);
  std::ranges::copy(data, reinterpret_cast<std::uint8_t*>(words->data()));
  const std::span bytes(reinterpret_cast<const std::byte*>(words->data()), data.size());
  BinaryHeader header;
  if (data.size() >= sizeof header) {
    std::memcpy(&header, data.data(), sizeof header);
    header.file_bytes = data.size();
    const std::size_t rest = data.size() - sizeof header;
    const auto* const text = reinterpret_cast<const char*>(bytes.data()) + sizeof header;
    header.checksum =
        binary_checksum(header, {text, std::min<std::size_t>(rest, header.provenance_bytes)});
    std::memcpy(words->data(), &header, sizeof header);
  }
  Graph graph = view_binary(words, bytes, "fuzz.bmg");
  if (header.arc_count % 2 == 0) {
    // Any mutation would fail at the digests, which hide the later checks.
    graph.set_recorded_digest({});
    graph.set_recorded_edge_list_digest(0);
  }
  verify_graph(graph, "fuzz.bmg");
  require_sound(graph);
}

}  // namespace
}  // namespace bellmark

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    bellmark::check({data, size});
  } catch (const bellmark::InputError&) {
    // A refusal is a good answer. Any other exception is a finding.
  }
  return 0;
}
