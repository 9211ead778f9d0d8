// The keys of a variant that are searched.
#pragma once

#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"

namespace bellmark::tune {

/// The one variant that `pattern` names. Throws InputError when there are more.
Selection select_one(const std::string& pattern);

bool is_compile_time(const Key& key);

/// The valid keys of `-p`, in words.
std::string tunable_text(const Family& family);

/// The keys to search: the named keys (with commas), or all keys that are declared tunable.
/// Compile-time keys have the values that were built. Throws InputError.
std::vector<Key> keys_to_search(const Family& family, const std::string& named);

}  // namespace bellmark::tune
