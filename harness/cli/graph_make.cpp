#include "harness/cli/graph_make.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "graph/generate.hpp"

namespace bellmark::cli {
namespace {

constexpr const char* kRest = R"(
LENGTHS:
  unit
  uniform:LO..HI, potential:LO..HI  by index; potential has arcs below 0, but no negative cycle
  hash:LO..HI, log-spread:LO..HI    by the ends, so that opposite and parallel arcs agree;
                                    log-spread is even over the decades
  log-uniform:LO..HI                another name of log-spread
  zero-one:PERCENT                  by the ends, 0 with that percentage, else 1
  exponential:MEAN                  by the ends, at least 1, exponentially distributed
  kanto                             by the ends, 10 to 1,000,000, mean and deviation of suzuki's map
  sample:REF                        by the ends, drawn from the lengths of another graph
A bound may be a power: uniform:0..4^10.

Every graph, made or read, also takes
  arcs=both           the opposite arcs that it lacks to be undirected
  order=WORD          other numbers for its vertices: random, degree, breadth-first, depth-first
  row-order=by-length its rows sorted, the shortest arcs first (rows=by-length means the same)

  bellmark graph make grid:rows=512,columns=512,keep=0.85 -o g.bmg
  bellmark graph make random:n=100000,m=400000,seed=7 -o r.gr.gz
  bellmark graph make kronecker:scale=20,lengths=uniform:1..255 -o k.bmg
  bellmark graph make road-main: -o main.bmg
  bellmark graph make delaunay:n=1000000,order=breadth-first -o d.bmg
  bellmark graph make hyperbolic:n=1000000,degree=10,lengths=exponential:100 -o h.bmg
  bellmark graph make tile:my.gr,copies=4 -o tile.bmg
  bellmark graph make long:scale=20,lengths=uniform:0..4^10 -o l.bmg)";

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

/// `--rows=3` to `--rows` and `3`; `-n5` to `-n` and `5`.
std::pair<std::string, std::string> split_flag(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals != std::string::npos) return {word.substr(0, equals), word.substr(equals + 1)};
  if (word.starts_with("--")) return {word, ""};
  return {word.substr(0, 2), word.substr(std::min<std::size_t>(2, word.size()))};
}

bool is_flag(const std::string& word) {
  return word.size() > 1 && word[0] == '-' &&
         (word[1] == '-' || std::isalpha(static_cast<unsigned char>(word[1])) != 0);
}

/// The keys and values of a flag of the old form, for a graph of this generator.
std::string pairs_of(const std::string& flag, const std::string& value,
                     const std::string& generator) {
  const bool is_challenge = generator == "long" || generator == "square" || generator == "random4";
  if (is_challenge && flag == "-n") return "scale=" + value;
  if (is_challenge && flag == "-C") return "lengths=uniform:0..4^" + value;
  if (flag == "--vertices") return "n=" + value;
  if (flag == "--arcs") return "m=" + value;
  return flag.substr(flag.find_first_not_of('-')) + "=" + value;
}

}  // namespace

std::string formulas_help() {
  std::string text = "FORMULA is NAME:KEY=VALUE,... with these names and keys:\n";
  for (const Generator& generator : generators()) {
    text += "  " + padded(generator.name + ":", 12) + generator.text + "\n";
    for (const FormulaKey& key : generator.keys) {
      text += "    " + padded(key.name, 14) + key.text +
              (key.fallback.empty() ? ", needed" : ", default " + key.fallback) + "\n";
    }
  }
  return text + kRest;
}

std::string formula_of_flags(const std::string& formula, const std::vector<std::string>& flags) {
  const std::size_t colon = formula.find(':');
  std::string name = formula.substr(0, colon);
  std::vector<std::string> pairs;
  bool has_lengths_alone = false;
  if (colon != std::string::npos) pairs = split(std::string_view(formula).substr(colon + 1), ',');
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (!is_flag(flags[i])) {
      pairs.push_back(flags[i]);
    } else if (flags[i] == "--main" && name == "road") {
      name = "road-main";
    } else {
      auto [flag, value] = split_flag(flags[i]);
      const bool has_next = i + 1 < flags.size() && !is_flag(flags[i + 1]);
      if (value.empty() && has_next) value = flags[++i];
      pairs.push_back(pairs_of(flag, value, name));
      has_lengths_alone |= flag == "-C";
    }
  }
  // The -C families have 2^20 vertices unless -n says another number.
  const auto is_scale = [](const std::string& pair) { return pair.starts_with("scale="); };
  if (has_lengths_alone && std::ranges::none_of(pairs, is_scale)) {
    pairs.insert(pairs.begin(), "scale=20");
  }
  return name + ":" + join(pairs, ",");
}

}  // namespace bellmark::cli
