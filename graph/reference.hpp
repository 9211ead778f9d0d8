// The parts of a graph's reference: the source of the graph, and the changes to it.
//
// Its grammar, with pairs KEY=VALUE between commas:
//
//   reference = (formula | read) change*
//   formula   = NAME ':' pairs      NAME is a generator's; its keys are in generate.hpp
//             | 'tile:' (ID | FILE) ',' pairs
//   read      = (ID | FILE) [',lengths=' SCHEME] [',seed=' N]
//   change    = ',arcs=' WORD | ',order=' WORD | ',row-order=' WORD
//
// Pairs may stand in any sequence. A value ends at a comma, so the graph in `lengths=sample:REF`
// has no keys of its own. `rows=WORD` is another name of `row-order=WORD`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "graph/lengths.hpp"

namespace bellmark {

struct Generator;

struct GraphReference {
  using Pair = std::pair<std::string, std::string>;

  std::string text;                      ///< as written: it stands in messages
  const Generator* generator = nullptr;  ///< null where the graph is read
  std::string source;                    ///< an id, a file, or the generator's name

  /// All keys of the formula. For a graph that is read: `lengths` and `seed`, or none. Values are
  /// in their shortest form.
  std::map<std::string, std::string> keys;

  /// Changes to the graph after it was made or read, in this sequence: `arcs`, `order`,
  /// `row-order`. A repeated key is applied twice, in the written order.
  std::vector<Pair> changes;

  /// Values of keys that are there.
  std::uint64_t count(const std::string& key) const;
  double real(const std::string& key) const;
  LengthScheme lengths() const;
  std::uint64_t seed() const { return count("seed"); }
};

/// Splits a reference into its parts, and opens no graph. It looks for files, so that their names
/// may hold commas and `=`: the longest beginning that is a file's name is the source. Throws
/// InputError on keys that are unknown, missing, repeated or without a value, and on values that
/// are not numbers or lengths. Words of changes are checked when the changes are applied.
GraphReference parse_reference(const std::string& text);

/// Splits a formula. Throws InputError on any other reference.
GraphReference parse_formula(const std::string& text);

/// The canonical text: all keys with their values, in one sequence. It means the same graph.
std::string to_string(const GraphReference& reference);

}  // namespace bellmark
