// Fuzz target: the small languages of the command line. The first byte selects one. The rest is the
// word.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "algorithms/contract/registry.hpp"
#include "algorithms/spots/places/spots.hpp"
#include "base/text.hpp"
#include "graph/fuzz_support.hpp"
#include "graph/lengths.hpp"
#include "graph/open.hpp"
#include "graph/reference.hpp"
#include "harness/machine/location.hpp"
#include "harness/plan/metric.hpp"
#include "harness/plan/plan.hpp"

namespace bellmark {
namespace {

void check_place(const std::string& word) {
  static const auto topology = machine::Topology::synthetic("pack:2 numa:1 core:4 pu:2");
  static const machine::Gpus gpus("not of the fuzzers");
  for (const auto& place : machine::expand(topology, word, gpus)) {
    const auto again = machine::expand(topology, place.word, gpus);
    require(again.size() == 1 && again.front().resolved == place.resolved,
            "a plain word means its own place");
  }
}

void check_reference(const std::string& word) {
  const std::string canonical = to_string(parse_reference(word));
  require(to_string(parse_reference(canonical)) == canonical, "a canonical reference stays");
  opens_at_once(word);
}

void check_variant(const std::string& word) {
  for (const Selection& selection : Registry::global().select(word)) {
    const auto again = Registry::global().select(selection.name());
    require(again.size() == 1 && again.front().name() == selection.name(),
            "a name means its own variant");
  }
}

void check_lengths(const std::string& word) {
  const LengthScheme scheme = parse_lengths(word);
  require(parse_lengths(to_string(scheme)) == scheme, "a scheme's text means the scheme");
}

void check_duration(const std::string& word) {
  const double seconds = plan::parse_duration(word);
  require(std::isfinite(seconds) && seconds > 0, "a duration is a time");
}

void check_shard(const std::string& word) {
  const plan::Shard shard = plan::parse_shard(word);
  require(shard.index >= 1 && shard.index <= shard.count, "a shard is one of those there are");
}

void check_axis(const std::string& word) {
  const auto [name, values] = plan::parse_axis(word);
  require(!name.empty() && !values.empty(), "an axis has a name and values");
}

void check_pattern(const std::string& word) {
  const std::size_t end = std::min(word.find('\n'), word.size());
  const std::string text = word.substr(end);
  glob_match(word.substr(0, end), text);
  require(glob_match("*", word), "a star matches all");
  require(is_utf8(printable(word, 100)), "what is printed is UTF-8");
  require(is_utf8(escaped(word)), "what is escaped is UTF-8");
}

void check(std::uint8_t which, const std::string& word) {
  static const std::array<std::function<void(const std::string&)>, 11> readers = {
      check_place,
      check_reference,
      check_variant,
      check_lengths,
      check_duration,
      check_shard,
      check_axis,
      check_pattern,
      [](const auto& text) { plan::parse_metric(text); },
      [](const auto& text) { plan::launcher_words(text, 3); },
      [](const auto& text) { parse_spots_reference(text); }};
  readers[which % readers.size()](word);
}

}  // namespace
}  // namespace bellmark

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    bellmark::check(data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});
  } catch (const bellmark::Error& error) {
    // A refusal is a good answer. Any other exception is a finding.
    bellmark::require(error.code() != bellmark::ExitCode::internal, "no internal error");
    bellmark::require(bellmark::is_utf8(error.what()), "a message is UTF-8");
  }
  return 0;
}
