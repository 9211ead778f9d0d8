// The rules by which this build judges: those of docs/explain/how-claims-are-judged.md.
#pragma once

#include <nlohmann/json.hpp>

namespace bellmark::verdict {

/// Raised when the page changes a rule for claims. Results without rules are of version 1.
inline constexpr int kRulesVersion = 3;
/// The day on which that version was settled.
inline constexpr const char* kRulesDate = "2026-11-24";

/// SHA-256 of the page, which the build embeds: the output of `sha256sum` for the file.
extern const char* const kRulesDigest;

/// A result's statement of the rules that judged it.
inline nlohmann::ordered_json rules_json() {
  return {{"version", kRulesVersion}, {"date", kRulesDate}, {"digest", kRulesDigest}};
}

}  // namespace bellmark::verdict
