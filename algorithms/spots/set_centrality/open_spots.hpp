// From a reference to the input of set centrality.
#pragma once

#include <string>

#include "algorithms/spots/places/distances.hpp"

namespace bellmark {

/// A reference to an input of set centrality, taken apart: `SCHEME:REST,k=K`.
struct SetReference {
  std::string text;  ///< as written, for errors
  std::string scheme;
  std::string rest;
  Spot chosen_count = 0;  ///< K; 0 where none is given

  /// The reference without K.
  std::string input() const { return scheme + ":" + rest; }
};

/// Throws InputError on a K that is no number or 0.
SetReference parse_set_reference(const std::string& text);

/// Opens an input by reference; each may end with `,k=10`:
///   `matrix:FILE`   text: a row a line, numbers between spaces or commas; or the binary form that
///                   `bellmark spots distances` writes (`.bmd`)
///   `points:n=894,seed=1`  straight-line distances in metres of points drawn uniformly in a square
///                   of 10 km: for tests and for scaling
///   `spots:...`     spots of a file, by great circle or over roads (SpotsReference, spots.hpp)
/// Throws InputError.
SetInput open_spots(const std::string& reference);

}  // namespace bellmark
