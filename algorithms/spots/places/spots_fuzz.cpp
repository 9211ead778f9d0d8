// Fuzz target: a CSV file of spots.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/spots/places/spots.hpp"
#include "base/error.hpp"
#include "base/formula.hpp"
#include "base/text.hpp"
#include "graph/fuzz_support.hpp"

namespace bellmark {
namespace {

std::string csv_field(std::string_view text) {
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + "\"";
}

void check(std::string_view bytes) {
  const std::vector<Place> places = parse_spots(bytes, "fuzz.csv");
  std::string written = "lat,lon,name\r\n";
  for (const Place& place : places) {
    require(std::abs(place.longitude) <= 180 && std::abs(place.latitude) <= 90, "degrees in range");
    require(is_utf8(place.name), "names are UTF-8");
    written += shortest(place.latitude) + "," + shortest(place.longitude) + "," +
               csv_field(place.name) + "\r\n";
  }
  require(coincident_count(places) <= places.size(), "some spots coincide");
  const std::vector<Place> again = parse_spots(written, "again.csv");
  require(again.size() == places.size(), "the same number of spots when written and read");
  for (std::size_t i = 0; i < places.size(); ++i) {
    require(again[i].longitude == places[i].longitude && again[i].latitude == places[i].latitude &&
                again[i].name == places[i].name,
            "the same spots when written and read");
  }
}

}  // namespace
}  // namespace bellmark

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    bellmark::check({reinterpret_cast<const char*>(data), size});
  } catch (const bellmark::InputError&) {
    // A refusal is a good answer; anything else that is thrown is a finding.
  }
  return 0;
}
