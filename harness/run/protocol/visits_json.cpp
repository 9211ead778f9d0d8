// Extractions, visits and pages as JSON, on the wire and in results.
#include "harness/run/protocol/messages.hpp"
#include "harness/run/protocol/optional_json.hpp"

namespace bellmark::run {

void to_json(Json& json, const Extraction& extraction) {
  json = {{"extract_ns", extraction.extract_ns},
          {"allowed_ns", extraction.allowed_ns},
          {"answer_bytes", extraction.answer_bytes}};
}

void from_json(const Json& json, Extraction& extraction) {
  json.at("extract_ns").get_to(extraction.extract_ns);
  json.at("allowed_ns").get_to(extraction.allowed_ns);
  json.at("answer_bytes").get_to(extraction.answer_bytes);
}

void to_json(Json& json, const VisitsReading& visits) {
  json = {{"first_ns", visits.first_ns},
          {"later_ns", visits.later_ns},
          {"grown_bytes", visits.grown_bytes},
          {"grown_gpu_bytes", or_null(visits.grown_gpu_bytes)},
          {"between_count", visits.between_count}};
}

void from_json(const Json& json, VisitsReading& visits) {
  json.at("first_ns").get_to(visits.first_ns);
  json.at("later_ns").get_to(visits.later_ns);
  json.at("grown_bytes").get_to(visits.grown_bytes);
  get_optional(json, "grown_gpu_bytes", visits.grown_gpu_bytes);
  json.at("between_count").get_to(visits.between_count);
}

}  // namespace bellmark::run

namespace bellmark::machine {

void to_json(nlohmann::ordered_json& json, const PageUse& pages) {
  json = {{"anonymous_bytes", pages.anonymous_bytes}, {"huge_bytes", pages.huge_bytes}};
  if (pages.reserved_bytes > 0) json["reserved_bytes"] = pages.reserved_bytes;
  for (const auto& [node, bytes] : pages.node_bytes) {
    json["nodes"].push_back({{"node", node}, {"bytes", bytes}});
  }
}

void from_json(const nlohmann::ordered_json& json, PageUse& pages) {
  json.at("anonymous_bytes").get_to(pages.anonymous_bytes);
  json.at("huge_bytes").get_to(pages.huge_bytes);
  pages.reserved_bytes = json.value("reserved_bytes", std::uint64_t{0});
  pages.node_bytes.clear();
  for (const nlohmann::ordered_json& node : json.value("nodes", nlohmann::ordered_json::array())) {
    pages.node_bytes[node.at("node").get<unsigned>()] = node.at("bytes").get<std::uint64_t>();
  }
}

}  // namespace bellmark::machine
