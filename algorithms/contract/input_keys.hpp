// Inputs that are made from keys: `n=256,seed=1`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "algorithms/contract/description.hpp"
#include "algorithms/contract/problem.hpp"
#include "algorithms/contract/settings.hpp"

namespace bellmark {

/// A value for every key, in the keys' order: the values in `reference`, and the defaults of the
/// other keys. `default` names none. Throws InputError on an unknown key, with the nearest one, and
/// on a value that its key doesn't take.
Settings input_settings(const std::string& reference, const std::vector<Key>& keys);

/// `digest`, of the problem's name and the keys' values, and each key with its value.
Facts key_facts(std::string_view problem, const std::string& reference,
                const std::vector<Key>& keys);

/// The reference of the input whose keys all have their defaults.
std::string default_reference(const std::vector<Key>& keys);

}  // namespace bellmark
