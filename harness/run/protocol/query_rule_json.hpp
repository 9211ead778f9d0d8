// Query rules as JSON, for requests to workers and for results.
#pragma once

#include <nlohmann/json.hpp>

#include "algorithms/contract/problem.hpp"

namespace bellmark {

inline void to_json(nlohmann::ordered_json& json, const QueryRule& rule) {
  json = {{"kind", rule.kind},
          {"count", rule.count},
          {"seed", rule.seed},
          {"file", rule.file},
          {"list", rule.list}};
}

inline void from_json(const nlohmann::ordered_json& json, QueryRule& rule) {
  json.at("kind").get_to(rule.kind);
  json.at("count").get_to(rule.count);
  json.at("seed").get_to(rule.seed);
  json.at("file").get_to(rule.file);
  json.at("list").get_to(rule.list);
}

}  // namespace bellmark
