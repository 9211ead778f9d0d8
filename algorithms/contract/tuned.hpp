// Settings that `bellmark tune` found better than a variant's own, on this machine.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bellmark::tuned {

/// The winner of a tuning.
struct Winner {
  std::string variant;       ///< canonical name of the variant that was tuned
  std::string better;        ///< the same with the settings that won
  std::string graph_digest;  ///< of the content
};

/// The function that reads this machine's winners. The program sets it before variants are bound;
/// it is called when a variant asks.
void use_source(std::function<std::vector<Winner>()> source);

/// The name with the settings that won last for this variant and graph. Nothing where nobody tuned
/// it, or without a source. Throws the source's errors.
std::optional<std::string> better(std::string_view variant, std::string_view graph_digest);

}  // namespace bellmark::tuned
