// Which rules this build judges by: those of docs/explain/how-claims-are-judged.md.
#pragma once

#include <nlohmann/json.hpp>

namespace bellmark::verdict {

/// Goes up when the page says something else of a claim. Results without rules are of version 1.
inline constexpr int kRulesVersion = 3;
/// The day on which that version was settled.
inline constexpr const char* kRulesDate = "2026-11-24";

/// SHA-256 of the page, which the build puts in: what `sha256sum` prints of the file.
extern const char* const kRulesDigest;

/// What a result says of the rules that judged it.
inline nlohmann::ordered_json rules_json() {
  return {{"version", kRulesVersion}, {"date", kRulesDate}, {"digest", kRulesDigest}};
}

}  // namespace bellmark::verdict
