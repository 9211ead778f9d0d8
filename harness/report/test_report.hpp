// For tests of reports: a result made by hand.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bellmark::report {

using Json = nlohmann::ordered_json;

inline Json cell(const std::string& id, const Json& wall_ns, const std::string& status) {
  return {{"id", id},
          {"label", "arity=" + id},
          {"variant", "sssp/dijkstra:queue=heap,arity=" + id},
          {"graph", "grid:rows=3,columns=3"},
          {"placement", {{"requested", "core:0"}, {"resolved", "core:0"}}},
          {"query_count", 4},
          {"block_count", wall_ns.is_null() ? 0 : 6},
          {"sample_count", wall_ns.is_null() ? 0 : 60},
          {"wall_ns", wall_ns},
          {"memory", {{"accounted_bytes", 4096}, {"resident_bytes", nullptr}}},
          {"validation", {{"status", status}}}};
}

inline Json wall(double median, const Json& low, const Json& high) {
  return {{"median", median}, {"ci95_low", low}, {"ci95_high", high}};
}

inline Json verdict(const std::string& verdict, const std::string& reason) {
  return {{"claim", "p/Y1"},
          {"verdict", verdict},
          {"headline", verdict + " on a stand-in: small"},
          {"stand_in", "small"},
          {"text", "two | four"},
          {"reason", reason}};
}

inline Json result() {
  return {{"experiment",
           {{"id", "e"},
            {"title", "An experiment"},
            {"form", "quick"},
            {"baseline", "4"},
            {"cuts", {"quick: 4 of 16 queries"}}}},
          {"cells",
           {cell("4", wall(1.5e6, 1.4e6, 1.6e6), "certified"),
            cell("2", wall(2.1e6, 2.0e6, 2.2e6), "certified"), cell("8", nullptr, "wrong"),
            cell("16", nullptr, "not validated")}},
          {"comparisons",
           {{{"a", "2"},
             {"b", "4"},
             {"ratio", 1.4},
             {"ci95_low", 1.3},
             {"ci95_high", 1.5},
             {"outcome", "SLOWER"}}}},
          {"not_measured",
           {{{"cell", "8"},
             {"variant", "sssp/dijkstra:queue=heap,arity=8"},
             {"code", "wrong-answer"},
             {"reason", "query 1: vertex 9 is too far"}}}},
          {"warnings", {{{"text", "the load is high"}, {"action", "stop other programs"}}}},
          {"verdicts", {verdict("reproduced", "reproduced: fine")}}};
}

}  // namespace bellmark::report
