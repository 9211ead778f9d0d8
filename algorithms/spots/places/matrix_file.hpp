// The binary form of a distance matrix (`.bmd`).
//
// Little-endian. A header of 128 bytes, the provenance text, and, when flagged, the places. Each
// spot's place is longitude and latitude as two f64, the length of its name as u32, and the name.
// Zeros follow up to the next multiple of 64 bytes, then the distances row by row (f64, spots^2).
// The file ends with them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "algorithms/spots/places/distances.hpp"

namespace bellmark {

/// The first bytes of a `.bmd` file, as they lie in it.
struct MatrixHeader {
  static constexpr std::array<char, 8> kMagic = {'b', 'e', 'l', 'l', 'm', 'b', 'm', 'd'};
  static constexpr std::uint32_t kVersion = 1;
  static constexpr std::uint32_t kByteOrder = 0x01020304;
  enum Flag : std::uint32_t { kPlaces = 1 };

  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t byte_order = kByteOrder;
  std::uint64_t spot_count = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t provenance_bytes = 0;
  std::uint64_t places_bytes = 0;
  std::uint32_t flags = 0;
  std::uint32_t reserved = 0;
  std::array<char, 32> content_digest{};  // hexadecimal digits, of everything after the header
  std::array<char, 32> padding{};
  std::uint64_t checksum = 0;  // see matrix_checksum()
};
static_assert(sizeof(MatrixHeader) == 128);

/// 64-bit XXH3 of the header, its checksum taken as 0.
std::uint64_t matrix_checksum(const MatrixHeader& header);

/// Writes distances and places at once or not at all. Throws MachineError when the machine fails.
void write_matrix(const SetInput& input, const std::filesystem::path& path);

/// Reads and checks the whole file: header, sizes, content, every distance. Throws InputError on
/// the first fault, MachineError when the matrix is larger than the machine's memory. O(N^2).
SetInput read_matrix(const std::filesystem::path& path);

/// The same from bytes in memory; `name` stands for the path in errors.
SetInput parse_matrix(std::span<const std::byte> bytes, const std::string& name);

}  // namespace bellmark
