#include "algorithms/spots/places/matrix_file.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "base/atomic_file.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/formula.hpp"
#include "base/input.hpp"
#include "base/text.hpp"

namespace bellmark {
namespace {

static_assert(std::endian::native == std::endian::little, "values are written as they lie");

constexpr std::uint64_t kAlignment = 64;
constexpr std::size_t kPlaceBytes = 2 * sizeof(double) + sizeof(std::uint32_t);

constexpr std::uint64_t align(std::uint64_t at) {
  return (at + kAlignment - 1) / kAlignment * kAlignment;
}

template <class T>
void append(std::string& bytes, const T& value) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

std::string place_bytes(std::span<const Place> places) {
  std::string bytes;
  for (const Place& place : places) {
    append(bytes, place.longitude);
    append(bytes, place.latitude);
    append(bytes, static_cast<std::uint32_t>(place.name.size()));
    bytes.append(place.name);
  }
  return bytes;
}

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw InputError(name, what, "make the file again with 'bellmark spots distances'");
}

/// Fills `out` or fails.
void read_exactly(Input& input, std::span<char> out) {
  while (!out.empty()) {
    const std::size_t count = input.read(out);
    if (count == 0) fail(input.name(), "the file ends too early");
    out = out.subspan(count);
  }
}

std::vector<Place> take_places(const std::string& name, std::string_view bytes,
                               std::uint64_t count) {
  std::vector<Place> places;
  const auto take = [&](auto& value) {
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes.remove_prefix(sizeof value);
  };
  while (places.size() < count && bytes.size() >= kPlaceBytes) {
    Place place;
    std::uint32_t name_bytes = 0;
    take(place.longitude);
    take(place.latitude);
    take(name_bytes);
    if (name_bytes > bytes.size()) break;
    place.name = bytes.substr(0, name_bytes);
    bytes.remove_prefix(name_bytes);
    // Not a number fails any comparison.
    const bool degrees = std::abs(place.longitude) <= 180 && std::abs(place.latitude) <= 90;
    if (!degrees || !is_utf8(place.name)) {
      fail(name, "the place of spot " + std::to_string(places.size()) + " is none");
    }
    places.push_back(std::move(place));
  }
  if (places.size() != count || !bytes.empty()) fail(name, "the places do not fill their bytes");
  return places;
}

/// Checks all that the header alone can tell, given the file's size.
void check_header(const std::string& name, const MatrixHeader& header, std::uint64_t file_bytes) {
  if (header.magic != MatrixHeader::kMagic) fail(name, "not a .bmd file");
  if (header.byte_order != MatrixHeader::kByteOrder) fail(name, "written with another byte order");
  if (header.version != MatrixHeader::kVersion) {
    fail(name, "version " + std::to_string(header.version) + " of the format; this program reads " +
                   std::to_string(MatrixHeader::kVersion));
  }
  if (header.checksum != matrix_checksum(header)) fail(name, "the header is damaged");
  if (header.file_bytes != file_bytes) {
    fail(name, "the file has " + std::to_string(file_bytes) + " bytes, its header says " +
                   std::to_string(header.file_bytes));
  }
  if ((header.flags & ~std::uint32_t{MatrixHeader::kPlaces}) != 0) {
    fail(name, "the header has unknown flags");
  }
  // No count can pass the file's own size, which keeps every product below from overflowing.
  const bool counts_fit = header.spot_count <= std::numeric_limits<Spot>::max() &&
                          header.spot_count * header.spot_count <= file_bytes / sizeof(double) &&
                          header.provenance_bytes <= file_bytes &&
                          header.places_bytes <= file_bytes;
  if (!counts_fit || align(sizeof header + header.provenance_bytes + header.places_bytes) +
                             header.spot_count * header.spot_count * sizeof(double) !=
                         file_bytes) {
    fail(name, "the header's counts do not fit into the file");
  }
}

SetInput take_matrix(Input& input) {
  const std::string& name = input.name();
  MatrixHeader header;
  if (input.stored_bytes() < sizeof header) fail(name, "too short for a .bmd file");
  read_exactly(input, std::span(reinterpret_cast<char*>(&header), sizeof header));
  check_header(name, header, input.stored_bytes());
  check_memory(name, static_cast<double>(header.file_bytes));

  const std::uint64_t text_bytes = header.provenance_bytes + header.places_bytes;
  std::string text(align(sizeof header + text_bytes) - sizeof header, '\0');
  read_exactly(input, text);
  std::vector<double> values(header.spot_count * header.spot_count);
  read_exactly(input,
               std::span(reinterpret_cast<char*>(values.data()), values.size() * sizeof(double)));
  Digest digest;
  digest.add(text).add(std::span<const double>(values));
  if (digest.hex() !=
      std::string_view(header.content_digest.data(), header.content_digest.size())) {
    fail(name, "the content is damaged");
  }
  SetInput result;
  if ((header.flags & MatrixHeader::kPlaces) != 0) {
    const auto places = std::string_view(text).substr(header.provenance_bytes, header.places_bytes);
    result.places = take_places(name, places, header.spot_count);
  }
  result.distances = DistanceMatrix(static_cast<Spot>(header.spot_count), std::move(values),
                                    text.substr(0, header.provenance_bytes));
  return result;
}

}  // namespace

std::uint64_t matrix_checksum(const MatrixHeader& header) {
  MatrixHeader copy = header;
  copy.checksum = 0;
  return digest64(std::as_bytes(std::span(&copy, 1)));
}

void write_matrix(const SetInput& input, const std::filesystem::path& path) {
  std::string text = input.distances.provenance();
  MatrixHeader header;
  header.spot_count = input.distances.spot_count();
  header.provenance_bytes = text.size();
  if (!input.places.empty()) {
    const std::string places = place_bytes(input.places);
    header.flags |= MatrixHeader::kPlaces;
    header.places_bytes = places.size();
    text += places;
  }
  text.resize(align(sizeof header + text.size()) - sizeof header);
  const std::span<const double> values = input.distances.values();
  header.file_bytes = sizeof header + text.size() + values.size_bytes();
  Digest digest;
  digest.add(text).add(values).hex().copy(header.content_digest.data(),
                                          header.content_digest.size());
  header.checksum = matrix_checksum(header);
  AtomicFile file(path);
  file.write(std::as_bytes(std::span(&header, 1)));
  file.write(text);
  file.write(std::as_bytes(values));
  file.commit();
}

SetInput read_matrix(const std::filesystem::path& path) {
  Input input(path);
  return take_matrix(input);
}

SetInput parse_matrix(std::span<const std::byte> bytes, const std::string& name) {
  Input input({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, name);
  return take_matrix(input);
}

}  // namespace bellmark
