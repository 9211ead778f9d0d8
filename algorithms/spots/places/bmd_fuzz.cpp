// Fuzz target: a `.bmd` file. Size, digest and checksum are put right first, so that damage gets
// past them.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "algorithms/spots/places/matrix_file.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "graph/fuzz_support.hpp"

namespace bellmark {
namespace {

void check(std::span<const std::uint8_t> data) {
  std::vector<std::byte> bytes(data.size());
  if (!data.empty()) std::memcpy(bytes.data(), data.data(), data.size());
  MatrixHeader header;
  if (bytes.size() >= sizeof header) {
    std::memcpy(&header, bytes.data(), sizeof header);
    header.file_bytes = bytes.size();
    Digest digest;
    digest.add(std::span<const std::byte>(bytes).subspan(sizeof header))
        .hex()
        .copy(header.content_digest.data(), header.content_digest.size());
    header.checksum = matrix_checksum(header);
    std::memcpy(bytes.data(), &header, sizeof header);
  }
  const SetInput input = parse_matrix(bytes, "fuzz.bmd");
  const Spot n = input.distances.spot_count();
  require(input.places.empty() || input.places.size() == n, "a place for each spot");
  for (const Place& place : input.places) {
    require(std::abs(place.longitude) <= 180 && std::abs(place.latitude) <= 90, "degrees in range");
    require(is_utf8(place.name), "names are UTF-8");
  }
  for (Spot s = 0; s < n; ++s) {
    require(input.distances(s, s) == 0, "0 from a spot to itself");
    for (Spot t = 0; t < n; ++t) {
      const double distance = input.distances(s, t);
      require(std::isfinite(distance) && distance >= 0, "distances are finite");
    }
  }
  const std::filesystem::path file = scratch_file(".bmd");
  write_matrix(input, file);
  const SetInput again = read_matrix(file);
  std::filesystem::remove(file);
  require(std::ranges::equal(again.distances.values(), input.distances.values()),
          "the same distances when written and read");
  require(again.places.size() == input.places.size(),
          "the same number of places when written and read");
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
