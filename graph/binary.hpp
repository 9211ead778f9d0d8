// The binary form of a graph (`.bmg`): opened by mapping it into memory, without a copy.
//
// Little-endian. A header of 128 bytes comes first, then the provenance text, then the arrays. Each
// array begins at the next multiple of 64 bytes, after zeros. Their order is: row offsets (u64,
// vertices + 1), heads (u32, arcs), lengths (i32, arcs; when flagged), coordinates (two i32 for
// each vertex, longitude first; when flagged), edge-list degrees (u32, vertices; when flagged). The
// file ends with its last array. A reader refuses unknown flags, so that a new array needs no new
// version.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "graph/graph.hpp"

namespace bellmark {

/// The first bytes of a `.bmg` file, in the file's layout.
struct BinaryHeader {
  static constexpr std::array<char, 8> kMagic = {'b', 'e', 'l', 'l', 'm', 'a', 'r', 'k'};
  static constexpr std::uint32_t kVersion = 1;
  static constexpr std::uint32_t kByteOrder = 0x01020304;
  enum Flag : std::uint32_t {
    kLengths = 1,
    kCoordinates = 2,
    kSymmetric = 4,
    kSortedRows = 8,
    kEdgeListDegrees = 16
  };

  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t byte_order = kByteOrder;
  std::uint64_t vertex_count = 0;
  std::uint64_t arc_count = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t provenance_bytes = 0;
  std::uint32_t flags = 0;
  Length least_length = 0;
  Length largest_length = 0;
  std::uint32_t reserved = 0;
  std::array<char, 32> content_digest{};  // hexadecimal digits
  /// 64-bit XXH3 of the edge-list degrees; 0 without them, and in files of versions without the
  /// digest.
  std::uint64_t edge_list_digest = 0;
  std::array<char, 16> padding{};
  std::uint64_t checksum = 0;  // see binary_checksum()
};
static_assert(sizeof(BinaryHeader) == 128);

/// 64-bit XXH3 of the header, with 0 as its checksum, followed by the provenance text.
std::uint64_t binary_checksum(const BinaryHeader& header, std::string_view provenance);

/// Writes the whole file or nothing. Throws MachineError when the machine fails.
void write_binary(const Graph& graph, const std::filesystem::path& path);

/// Maps the file. Checks the header and its checksum, all sizes against the file's, and both ends
/// of the row offsets, but not the arrays. verify_graph() checks those. Before it has, a search on
/// a damaged file is not safe. The file must not change while it is open. O(1). Throws InputError.
Graph open_binary(const std::filesystem::path& path);

/// Maps bytes in memory, aligned to 8, that `storage` keeps alive. Errors name it `name`.
Graph view_binary(std::shared_ptr<const void> storage, std::span<const std::byte> bytes,
                  const std::string& name);

/// open_binary() and verify_graph(): throws InputError with the first fault. O(file).
void verify_binary(const std::filesystem::path& path);

}  // namespace bellmark
