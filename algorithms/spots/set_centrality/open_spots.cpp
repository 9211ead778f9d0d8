#include "algorithms/spots/set_centrality/open_spots.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "algorithms/spots/places/distances.hpp"
#include "algorithms/spots/places/matrix_file.hpp"
#include "algorithms/spots/places/spots.hpp"
#include "algorithms/spots/set_centrality/spot_distances.hpp"
#include "base/error.hpp"
#include "base/formula.hpp"

namespace bellmark {

SetReference parse_set_reference(const std::string& text) {
  constexpr std::string_view kKey = ",k=";
  SetReference reference;
  reference.text = text;
  std::size_t end = text.size();
  if (const std::size_t comma = text.rfind(',');
      text.compare(std::min(comma, end), kKey.size(), kKey) == 0) {
    reference.chosen_count = parse_number<Spot>(std::string_view(text).substr(comma + kKey.size()),
                                                text + ": k", "a whole number");
    if (reference.chosen_count == 0) {
      throw InputError(text + ": k", "nothing to choose", "choose at least one spot");
    }
    end = comma;
  }
  const std::string_view input = std::string_view(text).substr(0, end);
  const std::size_t colon = std::min(input.find(':'), input.size());
  reference.scheme = input.substr(0, colon);
  reference.rest = input.substr(std::min(colon + 1, input.size()));
  return reference;
}

SetInput open_spots(const std::string& text) {
  // These have keys of their own, k among them.
  if (text.starts_with("spots:")) {
    return open_spot_distances(parse_spots_reference(text)).input;
  }
  const SetReference reference = parse_set_reference(text);
  SetInput input;
  if (reference.scheme == "matrix" && reference.rest.ends_with(".bmd")) {
    input = read_matrix(reference.rest);
  } else if (reference.scheme == "matrix") {
    input.distances = read_matrix_text(reference.rest);
  } else if (reference.scheme == "points") {
    input.distances = make_points(reference.input(), reference.rest);
  } else {
    throw InputError(text, "no such spots",
                     "known: matrix:FILE, points:n=N,seed=S, spots:NAME, spots:FILE.csv");
  }
  input.chosen_count = reference.chosen_count;
  return input;
}

}  // namespace bellmark
