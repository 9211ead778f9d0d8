// The key `contract`, for families that can leave out leaves and chains.
#pragma once

#include "algorithms/contract/description.hpp"

namespace bellmark::contracted {

inline constexpr const char* kContract = "contract";

/// `contract`: whether the search leaves out leaves and chains, whose distances follow from the
/// others'.
Key contract_key();

/// Of settings without the key, false.
bool contracts(const Settings& settings);

}  // namespace bellmark::contracted
