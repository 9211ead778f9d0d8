// For tests of verdicts: results made by hand, and claims about them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/verdict/verdict.hpp"

namespace bellmark::verdict {

/// A result whose cells differ in arity (and graph), with the ratios that a test states.
struct Result {
  Json json = {{"experiment", {{"stand_in", nullptr}}},
               {"cells", Json::array()},
               {"comparisons", Json::array()}};

  explicit Result(const std::vector<int>& arities, const std::vector<std::string>& graphs = {"g"}) {
    for (const std::string& graph : graphs) {
      for (const int arity : arities) {
        json["cells"].push_back({{"id", id(arity, graph)},
                                 {"label", "arity=" + std::to_string(arity)},
                                 {"axes", {{"graph", graph}, {"arity", arity}}},
                                 {"wall_ns", nullptr},
                                 {"memory",
                                  {{"accounted_bytes", nullptr},
                                   {"resident_bytes", nullptr},
                                   {"resident_block_bytes", Json::array()}}}});
      }
    }
  }

  static std::string id(int arity, const std::string& graph = "g") {
    return graph + std::to_string(arity);
  }
  Json& cell(int arity) {
    for (Json& cell : json["cells"]) {
      if (cell.at("id") == id(arity)) return cell;
    }
    throw std::out_of_range("no such cell");
  }
  /// Ten blocks whose sign test has the interval [low, high]: two lows, two highs and six values.
  Result& ratio(int a, int b, double low, double value, double high,
                const std::string& graph = "g") {
    return between(id(a, graph), id(b, graph), low, value, high);
  }
  Result& between(const std::string& a, const std::string& b, double low, double value,
                  double high) {
    const std::vector<double> blocks = {low,   value, high, value, low,
                                        value, value, high, value, value};
    return compare(a, b, low, value, high, blocks);
  }
  /// The blocks of a ratio that all are the same.
  Result& blocks(int a, int b, double value, std::size_t count) {
    return compare(id(a), id(b), value, value, value, std::vector<double>(count, value));
  }
  /// The form of older results, without the ratio of each block.
  Result& old_ratio(int a, int b, double low, double value, double high,
                    const std::string& graph = "g") {
    ratio(a, b, low, value, high, graph);
    json["comparisons"].back().erase("block_ratios");
    return *this;
  }
  Result& no_interval(int a, int b, double value) {
    json["comparisons"].push_back({{"a", id(a)},
                                   {"b", id(b)},
                                   {"ratio", value},
                                   {"ci95_low", nullptr},
                                   {"ci95_high", nullptr},
                                   {"reason", "fewer than 6 blocks: no 95 % interval"}});
    return *this;
  }
  /// The baseline of a placement measured twice.
  Result& resolution(const std::string& placement, double low, double high,
                     const Json& disturbed = nullptr) {
    const double middle = std::sqrt(low * high);
    json["resolution"].push_back({{"placement", placement},
                                  {"cell", "g2"},
                                  {"ratio", middle},
                                  {"ci95_low", low},
                                  {"ci95_high", high},
                                  {"block_ratios", {low, middle, middle, middle, middle, high}},
                                  {"disturbed", disturbed}});
    return *this;
  }

 private:
  Result& compare(const std::string& a, const std::string& b, double low, double value, double high,
                  const std::vector<double>& block_ratios) {
    json["comparisons"].push_back({{"a", a},
                                   {"b", b},
                                   {"ratio", value},
                                   {"ci95_low", low},
                                   {"ci95_high", high},
                                   {"reason", nullptr},
                                   {"block_ratios", block_ratios}});
    return *this;
  }
};

/// An experiment with the claims that `claims` states in TOML.
inline plan::Experiment experiment(const std::string& claims) {
  return plan::parse_experiment(
      "id = 'e'\npaper = { key = 'p', item = 'Table 1' }\nvariants = ['v']\n"
      "[workload]\nproblem = 'sssp'\nqueries = { kind = 'uniform-sources' }\n"
      "[axes]\ngraph = ['g']\narity = [2, 4, 8]\n" +
          claims,
      "e.toml");
}

inline Json judged(const std::string& claims, const Result& result) {
  const Json verdicts = judge(experiment(claims), result.json);
  EXPECT_EQ(verdicts.size(), 1U);
  return verdicts.at(0);
}

inline std::string verdict_of(const std::string& claims, const Result& result) {
  return judged(claims, result).at("verdict");
}

/// True if the verdict's reason has the text.
inline bool says(const Json& verdict, const std::string& text) {
  return verdict.at("reason").get<std::string>().find(text) != std::string::npos;
}

/// The only row of a claim with one part.
inline const Json& only_row(const Json& verdict) {
  return verdict.at("parts").at(0).at("measured").at(0);
}

inline std::string ratio_claim(const std::string& paper) {
  return "[[claim]]\nid = 'Y1'\nkind = 'ratio'\ntext = 'two is slower'\n"
         "numerator = { arity = 2 }\ndenominator = { arity = 4 }\npaper = " +
         paper + "\n";
}

inline const std::string kSlower = ratio_claim("{ low = 1.2, high = 1.5 }");
inline const std::string kFaster = ratio_claim("{ low = 0.5, high = 0.8 }");
inline const std::string kOrder =
    "[[claim]]\nid = 'Y2'\nkind = 'order'\ntext = 'more is faster'\n"
    "order = [{ arity = 2 }, { arity = 4 }, { arity = 8 }]\n";
inline const std::string kBest =
    "[[claim]]\nid = 'Y3'\nkind = 'argmin'\ntext = 'four is best'\nalong = 'arity'\n"
    "paper = { value = 4 }\n";
inline const std::string kShape =
    "[[claim]]\nid = 'Y4'\nkind = 'shape'\ntext = 'falls, then is flat'\nstatements = [\n"
    "{ text = 'falls', numerator = { arity = 2 }, denominator = { arity = 4 }, at_least = 1.5, "
    "reason = 'r' },\n"
    "{ text = 'flat', numerator = { arity = 8 }, denominator = { arity = 4 }, at_least = 0.9, "
    "at_most = 1.1, reason = 'r' }]\n";

/// A phase log of columns updated_count and host_ns, `phases` for each query: (updated, time).
using Phases = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
inline Json phase_log(const std::vector<Phases>& queries) {
  Json log = {{"columns", {"updated_count", "host_ns"}}, {"queries", Json::array()}};
  for (const Phases& phases : queries) {
    Json updated = {{"sum", 0}, {"largest", nullptr}, {"late_largest", nullptr}};
    Json times = {{"sum", 0}, {"largest", nullptr}, {"late_largest", nullptr}};
    updated["phases_by_decade"] = Json::object();
    times["sum_by_decade"] = Json::object();
    const auto raise = [](Json& to, std::uint64_t value) {
      to = to.is_null() ? value : std::max(to.get<std::uint64_t>(), value);
    };
    for (std::size_t i = 0; i < phases.size(); ++i) {
      const auto [count, time] = phases[i];
      const std::string decade = count <= 10 ? "10" : count <= 1000 ? "1000" : "100000";
      for (auto [column, value] : {std::pair(&updated, count), std::pair(&times, time)}) {
        (*column)["sum"] = (*column)["sum"].get<std::uint64_t>() + value;
        raise((*column)["largest"], value);
        if (i >= phases.size() / 2) raise((*column)["late_largest"], value);
      }
      Json& phases_in = updated["phases_by_decade"];
      phases_in[decade] = phases_in.value(decade, 0) + 1;
      Json& sum_in = times["sum_by_decade"];
      sum_in[decade] = sum_in.value(decade, std::uint64_t{0}) + time;
    }
    log["queries"].push_back({{"query", log["queries"].size()},
                              {"phase_count", phases.size()},
                              {"columns", {{"updated_count", updated}, {"host_ns", times}}}});
  }
  return log;
}

/// Queries 1, 2, ...: the i-th takes i times as long.
inline std::vector<Phases> growing(std::size_t count, std::uint64_t time) {
  std::vector<Phases> queries;
  for (std::uint64_t i = 1; i <= count; ++i) {
    queries.push_back({{5, i * time}, {50'000, 10 * i * time}, {500, i * time}, {1, i * time}});
  }
  return queries;
}

inline std::string bounds_claim(const std::string& metric, const std::string& bounds) {
  return "[[claim]]\nid = 'S2'\nkind = 'shape'\ntext = 't'\nstatements = [{ text = 's', metric = "
         "'" +
         metric + "', numerator = { arity = 2 }, reason = 'r', " + bounds + " }]\n";
}

}  // namespace bellmark::verdict
