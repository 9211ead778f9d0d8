// Writes and maps the binary form.
#include "graph/binary.hpp"

#include <bit>
#include <cstring>
#include <limits>

#include "base/atomic_file.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/mapped_file.hpp"
#include "base/text.hpp"

namespace bellmark {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are mapped as they lie");

constexpr std::uint64_t kAlignment = 64;
constexpr std::uint32_t kKnownFlags = BinaryHeader::kLengths | BinaryHeader::kCoordinates |
                                      BinaryHeader::kSymmetric | BinaryHeader::kSortedRows |
                                      BinaryHeader::kEdgeListDegrees;

/// The place of each part. It is a function of the header, so that header and arrays can't
/// disagree.
struct Layout {
  std::uint64_t row_offsets;
  std::uint64_t heads;
  std::uint64_t lengths;
  std::uint64_t coordinates;
  std::uint64_t edge_list_degrees;
  std::uint64_t end;
};

constexpr std::uint64_t align(std::uint64_t at) {
  return (at + kAlignment - 1) / kAlignment * kAlignment;
}

/// Expects counts that the caller has bounded (by a file or by memory), so that nothing overflows.
Layout lay_out(const BinaryHeader& header) {
  const auto present = [&](BinaryHeader::Flag flag) { return (header.flags & flag) != 0 ? 1 : 0; };
  Layout layout{};
  std::uint64_t end = sizeof(BinaryHeader) + header.provenance_bytes;
  // An array that is absent or empty must not move the end to a multiple of 64.
  const auto place = [&](std::uint64_t bytes) {
    if (bytes == 0) return end;
    const std::uint64_t at = align(end);
    end = at + bytes;
    return at;
  };
  layout.row_offsets = place((header.vertex_count + 1) * sizeof(Offset));
  layout.heads = place(header.arc_count * sizeof(Vertex));
  layout.lengths = place(header.arc_count * sizeof(Length) * present(BinaryHeader::kLengths));
  layout.coordinates =
      place(header.vertex_count * sizeof(Coordinate) * present(BinaryHeader::kCoordinates));
  layout.edge_list_degrees =
      place(header.vertex_count * sizeof(std::uint32_t) * present(BinaryHeader::kEdgeListDegrees));
  layout.end = end;
  return layout;
}

/// An array of the file. The bytes were written from the same type, so they hold such objects.
template <class T>
std::span<const T> array_at(std::span<const std::byte> bytes, std::uint64_t at,
                            std::uint64_t count) {
  if (count == 0) return {};
  return {reinterpret_cast<const T*>(bytes.data() + at), count};
}

}  // namespace

std::uint64_t binary_checksum(const BinaryHeader& header, std::string_view provenance) {
  BinaryHeader copy = header;
  copy.checksum = 0;
  std::string bytes(sizeof copy, '\0');
  std::memcpy(bytes.data(), &copy, sizeof copy);
  bytes.append(provenance);
  return digest64(std::as_bytes(std::span(bytes)));
}

void write_binary(const Graph& graph, const std::filesystem::path& path) {
  BinaryHeader header;
  header.vertex_count = graph.vertex_count();
  header.arc_count = graph.arc_count();
  header.provenance_bytes = graph.provenance().size();
  const GraphProperties& properties = graph.properties();
  const auto flag = [&](BinaryHeader::Flag bit, bool set) { header.flags |= set ? bit : 0U; };
  flag(BinaryHeader::kLengths, !graph.lengths().empty());
  flag(BinaryHeader::kCoordinates, !graph.coordinates().empty());
  flag(BinaryHeader::kSymmetric, properties.symmetric);
  flag(BinaryHeader::kSortedRows, properties.sorted_rows);
  flag(BinaryHeader::kEdgeListDegrees, !graph.edge_list_degrees().empty());
  header.least_length = properties.least_length;
  header.largest_length = properties.largest_length;
  graph.content_digest().copy(header.content_digest.data(), header.content_digest.size());
  header.edge_list_digest = edge_list_digest(graph);
  const Layout layout = lay_out(header);
  header.file_bytes = layout.end;
  header.checksum = binary_checksum(header, graph.provenance());

  AtomicFile file(path);
  std::uint64_t written = 0;
  const auto write = [&](std::uint64_t at, std::span<const std::byte> bytes) {
    if (bytes.empty()) return;
    constexpr std::array<std::byte, kAlignment> kZeros{};
    file.write(std::span(kZeros).first(at - written));
    file.write(bytes);
    written = at + bytes.size();
  };
  write(0, std::as_bytes(std::span(&header, 1)));
  write(sizeof header, std::as_bytes(std::span(graph.provenance())));
  constexpr std::array<Offset, 1> kNoRows{0};
  const auto offsets = graph.row_offsets();
  write(layout.row_offsets,
        offsets.empty() ? std::as_bytes(std::span(kNoRows)) : std::as_bytes(offsets));
  write(layout.heads, std::as_bytes(graph.heads()));
  write(layout.lengths, std::as_bytes(graph.lengths()));
  write(layout.coordinates, std::as_bytes(graph.coordinates()));
  write(layout.edge_list_degrees, std::as_bytes(graph.edge_list_degrees()));
  file.commit();
}

Graph view_binary(std::shared_ptr<const void> storage, std::span<const std::byte> bytes,
                  const std::string& name) {
  const auto fail = [&](const std::string& what) {
    throw InputError(name, what, "make the file again with 'bellmark graph convert'");
  };
  BinaryHeader header;
  if (bytes.size() < sizeof header) fail("too short for a .bmg file");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != BinaryHeader::kMagic) fail("not a .bmg file");
  if (header.byte_order != BinaryHeader::kByteOrder) fail("written with another byte order");
  if (header.version != BinaryHeader::kVersion) {
    fail("version " + std::to_string(header.version) + " of the format; this program reads " +
         std::to_string(BinaryHeader::kVersion));
  }
  if (header.file_bytes != bytes.size()) {
    fail("the file has " + std::to_string(bytes.size()) + " bytes, its header says " +
         std::to_string(header.file_bytes));
  }
  // No count can pass the file's own size, which keeps every product below from overflowing.
  if (header.provenance_bytes > bytes.size() - sizeof header ||
      header.vertex_count > bytes.size() / sizeof(Offset) ||
      header.vertex_count > std::numeric_limits<Vertex>::max() ||
      header.arc_count > bytes.size() / sizeof(Vertex)) {
    fail("the header's counts do not fit into the file");
  }
  const std::string_view provenance(reinterpret_cast<const char*>(bytes.data() + sizeof header),
                                    header.provenance_bytes);
  if (header.checksum != binary_checksum(header, provenance)) fail("the header is damaged");
  if ((header.flags & ~kKnownFlags) != 0) fail("the header has unknown flags");
  const Layout layout = lay_out(header);
  if (layout.end != bytes.size()) fail("the header's counts do not fit into the file");

  const auto has = [&](BinaryHeader::Flag flag) { return (header.flags & flag) != 0; };
  const auto offsets = array_at<Offset>(bytes, layout.row_offsets, header.vertex_count + 1);
  if (offsets.front() != 0 || offsets.back() != header.arc_count) {
    fail("the row offsets do not run from 0 to the arc count");
  }
  GraphProperties properties;
  properties.symmetric = has(BinaryHeader::kSymmetric);
  properties.sorted_rows = has(BinaryHeader::kSortedRows);
  properties.least_length = header.least_length;
  properties.largest_length = header.largest_length;
  Graph graph = Graph::adopt(
      std::move(storage), offsets, array_at<Vertex>(bytes, layout.heads, header.arc_count),
      array_at<Length>(bytes, layout.lengths, has(BinaryHeader::kLengths) ? header.arc_count : 0),
      array_at<Coordinate>(bytes, layout.coordinates,
                           has(BinaryHeader::kCoordinates) ? header.vertex_count : 0),
      properties,
      array_at<std::uint32_t>(bytes, layout.edge_list_degrees,
                              has(BinaryHeader::kEdgeListDegrees) ? header.vertex_count : 0));
  graph.set_provenance(escaped(provenance));
  graph.set_recorded_digest({header.content_digest.begin(), header.content_digest.end()});
  graph.set_recorded_edge_list_digest(header.edge_list_digest);
  return graph;
}

Graph open_binary(const std::filesystem::path& path) {
  auto mapping = std::make_shared<const MappedFile>(path);
  const auto bytes = mapping->bytes();
  return view_binary(std::move(mapping), bytes, path.string());
}

void verify_binary(const std::filesystem::path& path) {
  verify_graph(open_binary(path), path.string());
}

}  // namespace bellmark
