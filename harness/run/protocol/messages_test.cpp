// Messages there and back, and against their schema.
#include "harness/run/protocol/messages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "base/error.hpp"

namespace bellmark::run {
namespace {

GpuReading some_gpu() {
  GpuReading gpu;
  gpu.index = 3;
  gpu.name = "G100";
  gpu.pci_bus_id = "0000:81:00.0";
  gpu.before = {{"clock_sm_mhz", 345}};
  gpu.after = {{"clock_sm_mhz", 1980}};
  gpu.reason = "power: not told";
  return gpu;
}

/// A cell with every reading, as if one pass took them all.
CellReplicate full_cell() {
  CellReplicate cell;
  cell.id = "0123";
  cell.variant = "sssp/dijkstra:arity=4";
  cell.validation = {2, 1, 3, "query 1: too short"};
  cell.wrong = true;
  cell.prepare_ns = 17;
  cell.accounted = {{"vertices", 8}, {"arcs", 24}};
  cell.threads = {{1, "pu P#1", "pu P#1"}};
  cell.answers = {{0, {{"objective", 0.5}}}, {11, {{"objective", 2}}}};
  cell.extraction = {900, 1800.5, 4096};
  cell.visits = {{8, 9}, {4, 4.5}, -64, 1, 32};
  cell.timed = {{{1.0, 2.5}, {3.0, 4.0}}, {3.5, 7}, "samples", {3, 4}, {3, 5}, 0.25, 8};
  cell.phases.emplace();
  cell.phases->phases = {
      {"search", 3, 1.5, 0.75, {{"settled_count", 7}}, {{"relax", 9, 1, 0.5, {}, {}}}}};
  cell.phases->phase_log = {{"columns", Json::array()}};
  cell.phases->instrumented_ratio = 1.25;
  cell.phases->work_counts = {{"settled_count", {{"value", 7.5}, {"reason", nullptr}}}};
  cell.kernels.emplace();
  cell.kernels->kernels = {{"relax(int*)", 4, 900, "none", 32, 16, {0, 128}, {1, 2}, {256, 256}}};
  cell.kernels->copies = {{"host-to-device", 2, 64, 5, "none"}};
  cell.kernels->split = {1, 2, 3, 4, 5};
  cell.kernels->reason = "none";
  cell.counters = {{"cycles", "PAPI_TOT_CYC", "count", std::int64_t{5}, {}, {2, 3}, {1, 4}},
                   {"cycles", "ipc", "ratio", 0.5, {}},
                   {"cycles", "lost", "count", {}, "no counter"}};
  cell.energy = {1.5, 300.0, 1.0, 10, "none", 2.5, 80.0, "no RAPL"};
  cell.resident_bytes = 4096;
  cell.bound_ns = 12.5;
  cell.profile = {"perf", "profiles/a.perf.data", "samples", {{"main;run", 3}}, 2, "none"};
  return cell;
}

Replicate full_replicate() {
  Replicate replicate;
  replicate.pass = Pass::timed;
  replicate.observed = {"pu P#0", "pu P#1"};
  replicate.pu_count = 2;
  replicate.open_ns = 5;
  replicate.core_mhz = 2900.5;
  replicate.steal_ratio = 0.125;
  replicate.pages = machine::PageUse{1 << 22, 1 << 21, 1 << 20, {{0, 4096}, {1, 8192}}};
  replicate.gpu = some_gpu();
  replicate.ranks = {{{0, "node0", "pu P#0", 1, "pu P#0", {some_gpu()}}}};
  replicate.certified = {{0x0123456789abcdef, 1}, {}};
  replicate.cells = {full_cell()};
  return replicate;
}

Request full_request(Pass pass) {
  Request request;
  request.pass = pass;
  request.problem = "sssp";
  request.graph = "grid:rows=2,columns=2";
  request.queries = {"list", 2, 7, "file.ss", {1, 2}};
  request.placement = "core:0";
  request.force = true;
  request.pages = machine::Pages::small;
  request.memory = "interleave";
  request.prepared = "kept";
  request.cells = {{"a", "sssp/dijkstra"}, {"b", "sssp/auto", measure::Start::cold}};
  request.ranks = RankRequest{4, true, "ranks.status"};
  external::Program& program = request.programs.emplace_back();
  program.name = "mine";
  program.problem = "sssp";
  program.command = {"./mine", "-t", "{threads}", "{graph}"};
  program.settings = {at_run_time(integer_key("threads", 1, 1, 8, "how many"), true, "threads")};
  program.environment = {{"OMP_NUM_THREADS", "{threads}"}};
  program.reported = {"time: ([0-9.]+)", 1e6};
  if (pass == Pass::probe) return request;
  request.worker = 1;
  request.process_count = 2;
  request.seed = 0xfedcba9876543210;
  request.stop_rule = {9, 0.5, 0.25};
  request.counter_group = "cycles";
  request.pass_count = 3;
  request.certified = {{0xffffffffffffffff}, {}};
  return request;
}

std::vector<Event> all_events() {
  Probed probed{{{"digest", "1"}},
                3,
                "ab",
                {"source 1"},
                {{"a", "sssp/x", {}, {}}, {"b", "sssp/y", "unmet-need", "needs cuda: none"}},
                {{"git_sha", "abc"}}};
  return {CellEntered{"a", "prepare"},
          Ready(),
          Sampled(),
          SamplingProgress{{{"b", 2.5}, {"a", 1}}},
          Crashing{"a", "source 1"},
          Failed{2, "no such\ngraph", 3},
          Done{full_replicate()},
          probed};
}

TEST(Messages, RequestsComeBackAsTheyWere) {
  for (const Pass pass : {Pass::probe, Pass::timed, Pass::simulated, Pass::memory}) {
    const std::string line = line_of(full_request(pass));
    EXPECT_EQ(std::ranges::count(line, '\n'), 1);
    EXPECT_EQ(line_of(parse_request(line)), line);
  }
  Request single = full_request(Pass::timed);
  single.ranks.reset();
  EXPECT_FALSE(parse_request(line_of(single)).ranks.has_value());
  EXPECT_EQ(parse_request(line_of(single)).seed, 0xfedcba9876543210);
}

TEST(Messages, EventsComeBackAsTheyWere) {
  for (const Event& event : all_events()) {
    const std::string line = line_of(event);
    EXPECT_EQ(std::ranges::count(line, '\n'), 1) << line;
    const auto back = parse_event(line);
    ASSERT_TRUE(back.has_value()) << line;
    EXPECT_EQ(back->index(), event.index());
    EXPECT_EQ(line_of(*back), line);
  }
}

TEST(Messages, WhatIsNotThereIsNullOrLeftOut) {
  Replicate replicate;
  replicate.observed = {"pu P#0"};
  replicate.cells.emplace_back();
  const Json json = replicate;
  EXPECT_EQ(json.at("observed"), "pu P#0") << "a text of one process";
  for (const char* key : {"open_ns", "core_mhz", "steal_ratio", "pages", "gpu", "ranks"}) {
    EXPECT_TRUE(json.at(key).is_null()) << key;
  }
  for (const char* key : {"step_ns", "phases", "gpu_kernels", "counters", "energy"}) {
    EXPECT_FALSE(json.at("cells").at(0).contains(key)) << key;
  }
  EXPECT_EQ(Json(json.get<Replicate>()), json);
}

/// Older journals lack some keys.
TEST(Messages, OlderReplicatesAreRead) {
  Json json = full_replicate();
  json.erase("open_ns");
  json["cells"][0].erase("prepare_ns");
  json["cells"][0].erase("answers");
  json["cells"][0]["validation"].erase("gpu_certificate_count");
  const auto replicate = json.get<Replicate>();
  EXPECT_FALSE(replicate.open_ns.has_value());
  EXPECT_FALSE(replicate.cells[0].prepare_ns.has_value());
  EXPECT_EQ(replicate.cells[0].validation.gpu_certificate_count, 0U);
}

TEST(Messages, BadRequestsAreRefusedWithTheFault) {
  const auto refused = [](const std::string& line) -> std::string {
    try {
      parse_request(line);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const auto spoilt = [](const std::function<void(Json&)>& spoil) {
    Json json = full_request(Pass::timed);
    spoil(json);
    return json.dump();
  };
  for (const char* line : {"", "[]", "42", "{\"version\":1", "nonsense"}) {
    EXPECT_NE(refused(line).find("is not a JSON object"), std::string::npos) << line;
  }
  EXPECT_NE(refused(spoilt([](Json& json) {
              json["version"] = 2;
            })).find("has version 2 of the wire, and this program speaks version 1"),
            std::string::npos);
  EXPECT_NE(refused("{}").find("has version null"), std::string::npos);
  EXPECT_NE(refused(spoilt([](Json& json) { json.erase("seed"); })).find("'seed'"),
            std::string::npos);
  EXPECT_NE(refused(spoilt([](Json& json) { json["worker"] = "first"; })).find("must be number"),
            std::string::npos);
  EXPECT_NE(refused(spoilt([](Json& json) {
              json["kind"] = "timd";
            })).find("'timd' is no pass; did you mean 'timed'?"),
            std::string::npos);
  EXPECT_NE(refused(spoilt([](Json& json) {
              json["certified"] = {{"xyz"}};
            })).find("a digest that is not hexadecimal"),
            std::string::npos);
}

TEST(Messages, LinesThatAreNoEventsArePassedOver) {
  for (const char* line : {"", "hello", "17", "[]", "{}", "{\"event\":5}", "{\"event\":\"don"}) {
    EXPECT_FALSE(parse_event(line).has_value()) << line;
  }
  EXPECT_THROW(parse_event("{\"event\":\"finished\"}"), Error);
  EXPECT_THROW(parse_event("{\"event\":\"done\",\"replicate\":{\"answer\":42}}"), Error);
}

TEST(Messages, EveryPassHasAName) {
  for (const Pass pass :
       {Pass::probe, Pass::timed, Pass::visits, Pass::phases, Pass::kernels, Pass::counters,
        Pass::simulated, Pass::energy, Pass::memory, Pass::profile}) {
    EXPECT_EQ(pass_of(to_string(pass)), pass);
  }
}

/// Holds messages against the schema in both directions. A message has every required key, and no
/// key that the schema lacks. Over all messages, every key of the schema is sent.
class Schema {
 public:
  Schema() {
    std::ifstream stream(BELLMARK_TEST_SOURCE_DIR "/harness/schema/wire.schema.json");
    root_ = Json::parse(stream);
  }

  void hold(const std::string& definition, const Json& message) {
    walk(definition, Json{{"$ref", "#/definitions/" + definition}}, message);
  }

  /// Keys of the schema that no message had.
  std::vector<std::string> never_sent() {
    std::vector<std::string> missing;
    for (const std::string& key : described_) {
      if (!sent_.contains(key)) missing.push_back(key);
    }
    return missing;
  }

 private:
  Json resolved(Json node) const {
    while (node.contains("$ref")) {
      const auto name = node.at("$ref").get<std::string>();
      node = root_.at("definitions").at(name.substr(name.rfind('/') + 1));
    }
    return node;
  }

  void walk(const std::string& path, const Json& unresolved, const Json& value) {
    const Json node = resolved(unresolved);
    if (node.contains("oneOf")) {
      // Null, or the other alternative.
      if (!value.is_null()) walk(path, node.at("oneOf").back(), value);
      return;
    }
    if (value.is_array()) {
      for (const Json& item : value) walk(path + "[]", node.at("items"), item);
      return;
    }
    if (!value.is_object() || !node.contains("properties")) return;
    for (const auto& [key, described] : node.at("properties").items()) {
      described_.insert(path + "." + key);
    }
    for (const Json& key : node.at("required")) {
      EXPECT_TRUE(value.contains(key.get<std::string>())) << path << "." << key;
    }
    for (const auto& [key, inner] : value.items()) {
      ASSERT_TRUE(node.at("properties").contains(key)) << path << "." << key << " is not described";
      sent_.insert(path + "." + key);
      walk(path + "." + key, node.at("properties").at(key), inner);
    }
  }

  Json root_;
  std::set<std::string> described_;
  std::set<std::string> sent_;
};

TEST(Messages, SchemaDescribesWhatIsSent) {
  Schema schema;
  schema.hold("request", full_request(Pass::timed));
  schema.hold("request", full_request(Pass::probe));
  for (const Event& event : all_events()) {
    const Json json = Json::parse(line_of(event));
    schema.hold(json.at("event").get<std::string>(), json);
  }
  EXPECT_EQ(schema.never_sent(), std::vector<std::string>());
}

}  // namespace
}  // namespace bellmark::run
