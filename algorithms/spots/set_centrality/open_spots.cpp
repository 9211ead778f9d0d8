#include "algorithms/spots/set_centrality/open_spots.hpp"

#include <string>
#include <string_view>

#include "algorithms/spots/places/distances.hpp"
#include "algorithms/spots/places/matrix_file.hpp"
#include "algorithms/spots/places/spots.hpp"
#include "algorithms/spots/set_centrality/spot_distances.hpp"
#include "base/error.hpp"
#include "base/formula.hpp"

namespace bellmark {
namespace {

/// Takes `,k=10` off the end of a reference; 0 where there is none.
Spot take_chosen_count(std::string& reference) {
  constexpr std::string_view kKey = ",k=";
  const std::size_t comma = reference.rfind(',');
  if (comma == std::string::npos || reference.compare(comma, kKey.size(), kKey) != 0) return 0;
  const auto k = parse_number<Spot>(std::string_view(reference).substr(comma + kKey.size()),
                                    reference + ": k", "a whole number");
  if (k == 0) throw InputError(reference + ": k", "nothing to choose", "choose at least one spot");
  reference.resize(comma);
  return k;
}

}  // namespace

SetInput open_spots(const std::string& reference) {
  // These have keys of their own, k among them.
  if (reference.starts_with("spots:")) {
    return open_spot_distances(parse_spots_reference(reference)).input;
  }
  std::string base = reference;
  const Spot chosen_count = take_chosen_count(base);
  const std::size_t colon = base.find(':');
  const std::string scheme = base.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : base.substr(colon + 1);
  SetInput input;
  if (scheme == "matrix" && rest.ends_with(".bmd")) {
    input = read_matrix(rest);
  } else if (scheme == "matrix") {
    input.distances = read_matrix_text(rest);
  } else if (scheme == "points") {
    input.distances = make_points(base, rest);
  } else {
    throw InputError(reference, "no such spots",
                     "known: matrix:FILE, points:n=N,seed=S, spots:NAME, spots:FILE.csv");
  }
  input.chosen_count = chosen_count;
  return input;
}

}  // namespace bellmark
