// From a reference to the input of set centrality.
#pragma once

#include <string>

#include "algorithms/spots/places/distances.hpp"

namespace bellmark {

/// Opens an input by reference; each may end with `,k=10`:
///   `matrix:FILE`   text: a row a line, numbers between spaces or commas; or the binary form that
///                   `bellmark spots distances` writes (`.bmd`)
///   `points:n=894,seed=1`  straight-line distances in metres of points drawn uniformly in a square
///                   of 10 km: for tests and for scaling
///   `spots:...`     spots of a file, by great circle or over roads (SpotsReference, spots.hpp)
/// Throws InputError.
SetInput open_spots(const std::string& reference);

}  // namespace bellmark
