#include "harness/run/protocol/messages.hpp"

#include <string>

#include "base/digest.hpp"
#include "base/enum_names.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/run/protocol/json_text.hpp"
#include "harness/run/protocol/optional_json.hpp"
#include "harness/run/protocol/query_rule_json.hpp"

namespace bellmark::run {
namespace {

constexpr EnumNames<Pass, 10> kPassNames = {{{{Pass::probe, "probe"},
                                              {Pass::timed, "timed"},
                                              {Pass::visits, "visits"},
                                              {Pass::phases, "phases"},
                                              {Pass::kernels, "kernels"},
                                              {Pass::counters, "counters"},
                                              {Pass::simulated, "simulated"},
                                              {Pass::energy, "energy"},
                                              {Pass::memory, "memory"},
                                              {Pass::profile, "profile"}}}};

Json certified_json(const CertifiedDigests& certified) {
  Json json = Json::array();
  for (const auto& digests : certified) {
    Json& query = json.emplace_back(Json::array());
    for (const std::uint64_t digest : digests) query.push_back(hex64(digest));
  }
  return json;
}

CertifiedDigests certified_of(const Json& json) {
  CertifiedDigests certified;
  for (const Json& query : json) {
    auto& digests = certified.emplace_back();
    for (const Json& digest : query) {
      digests.push_back(std::stoull(digest.get<std::string>(), nullptr, 16));
    }
  }
  return certified;
}

/// The library's message without its number of the fault: `key 'seed' not found`.
std::string plain_text(const Json::exception& error) {
  const std::string text = error.what();
  const std::size_t end = text.find("] ");
  return end == std::string::npos ? text : text.substr(end + 2);
}

}  // namespace

std::string to_string(Pass pass) { return kPassNames.name_of(pass); }

Pass pass_of(std::string_view name) {
  if (const auto pass = kPassNames.value_of(name)) return *pass;
  throw InputError("kind", "'" + std::string(name) + "' is no pass",
                   suggestion(name, kPassNames.all()));
}

// Parts of a request.

void to_json(Json& json, const CellRequest& cell) {
  json = {{"id", cell.id}, {"variant", cell.variant}};
  if (cell.start != measure::Start::as_left) json["start"] = measure::to_string(cell.start);
}

void from_json(const Json& json, CellRequest& cell) {
  json.at("id").get_to(cell.id);
  json.at("variant").get_to(cell.variant);
  cell.start = measure::start_of(json.value("start", "as-left"));
}

void to_json(Json& json, const RankRequest& ranks) {
  json = {
      {"count", ranks.count}, {"needs_cuda", ranks.needs_cuda}, {"status_file", ranks.status_file}};
}

void from_json(const Json& json, RankRequest& ranks) {
  json.at("count").get_to(ranks.count);
  json.at("needs_cuda").get_to(ranks.needs_cuda);
  json.at("status_file").get_to(ranks.status_file);
}

void to_json(Json& json, const Request& request) {
  json = {{"version", kWireVersion},
          {"kind", to_string(request.pass)},
          {"problem", request.problem},
          {"graph", request.graph},
          {"queries", request.queries},
          {"placement", request.placement},
          {"force", request.force},
          {"cells", request.cells},
          {"pages", machine::to_string(request.pages)},
          {"memory", request.memory}};
  if (!request.prepared.empty()) json["prepared"] = request.prepared;
  if (request.ranks) json["ranks"] = *request.ranks;
  if (!request.programs.empty()) json["programs"] = request.programs;
  if (request.pass == Pass::probe) return;
  json.update({{"worker", request.worker},
               {"process_count", request.process_count},
               {"seed", request.seed},
               {"stop_rule",
                {{"sample_count", request.stop_rule.sample_count},
                 {"seconds", request.stop_rule.seconds},
                 {"half_width", request.stop_rule.half_width}}},
               {"counter_group", request.counter_group},
               {"pass_count", request.pass_count},
               {"certified", certified_json(request.certified)}});
}

void from_json(const Json& json, Request& request) {
  request = {};
  request.pass = pass_of(json.at("kind").get<std::string>());
  json.at("problem").get_to(request.problem);
  json.at("graph").get_to(request.graph);
  json.at("queries").get_to(request.queries);
  json.at("placement").get_to(request.placement);
  request.pages = machine::pages_of(json.value("pages", "system"));
  request.memory = json.value("memory", machine::kSystemMemory);
  request.prepared = json.value("prepared", "");
  json.at("force").get_to(request.force);
  json.at("cells").get_to(request.cells);
  get_optional(json, "ranks", request.ranks);
  request.programs = json.value("programs", Json::array()).get<std::vector<external::Program>>();
  if (request.pass == Pass::probe) return;
  json.at("worker").get_to(request.worker);
  json.at("process_count").get_to(request.process_count);
  json.at("seed").get_to(request.seed);
  const Json& rule = json.at("stop_rule");
  rule.at("sample_count").get_to(request.stop_rule.sample_count);
  rule.at("seconds").get_to(request.stop_rule.seconds);
  rule.at("half_width").get_to(request.stop_rule.half_width);
  json.at("counter_group").get_to(request.counter_group);
  json.at("pass_count").get_to(request.pass_count);
  request.certified = certified_of(json.at("certified"));
}

Request parse_request(const std::string& line) {
  const Json json = parse_json(line);
  if (!json.is_object()) {
    throw InputError("request", "is not a JSON object", "send one request as one line");
  }
  const Json version = json.value("version", Json());
  if (version != kWireVersion) {
    throw InputError("request",
                     "has version " + version.dump() +
                         " of the wire, and this program "
                         "speaks version " +
                         std::to_string(kWireVersion),
                     "use a supervisor and a worker of the same release");
  }
  try {
    return json.get<Request>();
  } catch (const Json::exception& error) {
    throw InputError("request", plain_text(error), "see harness/schema/wire.schema.json");
  } catch (const std::logic_error&) {  // std::stoull
    throw InputError("request: certified", "holds a digest that is not hexadecimal",
                     "see harness/schema/wire.schema.json");
  }
}

// Parts of a replicate.

void to_json(Json& json, const Validation& validation) {
  json = {{"certificate_count", validation.certificate_count},
          {"gpu_certificate_count", validation.gpu_certificate_count},
          {"digest_count", validation.digest_count},
          {"detail", or_null(validation.detail)}};
}

void from_json(const Json& json, Validation& validation) {
  json.at("certificate_count").get_to(validation.certificate_count);
  // Older journals lack the key.
  validation.gpu_certificate_count = json.value("gpu_certificate_count", std::uint64_t{0});
  json.at("digest_count").get_to(validation.digest_count);
  get_optional(json, "detail", validation.detail);
}

void to_json(Json& json, const ThreadPlace& thread) {
  json = {{"index", thread.index}, {"resolved", thread.resolved}, {"observed", thread.observed}};
}

void from_json(const Json& json, ThreadPlace& thread) {
  json.at("index").get_to(thread.index);
  json.at("resolved").get_to(thread.resolved);
  json.at("observed").get_to(thread.observed);
}

void to_json(Json& json, const GpuReading& gpu) {
  json = {{"index", or_null(gpu.index)},
          {"name", or_null(gpu.name)},
          {"pci_bus_id", or_null(gpu.pci_bus_id)},
          {"before", gpu.before},
          {"after", gpu.after},
          {"reason", or_null(gpu.reason)}};
}

void from_json(const Json& json, GpuReading& gpu) {
  get_optional(json, "index", gpu.index);
  get_optional(json, "name", gpu.name);
  get_optional(json, "pci_bus_id", gpu.pci_bus_id);
  gpu.before = json.at("before");
  gpu.after = json.at("after");
  get_optional(json, "reason", gpu.reason);
}

void to_json(Json& json, const RankPlace& place) {
  json = {{"rank", place.rank},         {"host", place.host},         {"resolved", place.resolved},
          {"pu_count", place.pu_count}, {"observed", place.observed}, {"gpus", place.gpus}};
}

void from_json(const Json& json, RankPlace& place) {
  json.at("rank").get_to(place.rank);
  json.at("host").get_to(place.host);
  json.at("resolved").get_to(place.resolved);
  json.at("pu_count").get_to(place.pu_count);
  json.at("observed").get_to(place.observed);
  json.at("gpus").get_to(place.gpus);
}

void to_json(Json& json, const PhaseSummary& phase) {
  json = {{"name", phase.name},
          {"count", phase.count},
          {"wall_ns", phase.wall_ns},
          {"share_ratio", phase.share_ratio},
          {"notes", object_of(phase.notes)},
          {"children", phase.children}};
}

void from_json(const Json& json, PhaseSummary& phase) {
  json.at("name").get_to(phase.name);
  json.at("count").get_to(phase.count);
  json.at("wall_ns").get_to(phase.wall_ns);
  json.at("share_ratio").get_to(phase.share_ratio);
  phase.notes = pairs_of<double>(json.at("notes"));
  json.at("children").get_to(phase.children);
}

void to_json(Json& json, const CounterReading& counter) {
  json = {{"group", counter.group},
          {"name", counter.name},
          {"unit", counter.unit},
          {"value", nullptr},
          {"reason", or_null(counter.reason)}};
  if (const auto* count = std::get_if<std::int64_t>(&counter.value)) json["value"] = *count;
  if (const auto* ratio = std::get_if<double>(&counter.value)) json["value"] = *ratio;
  if (!counter.by_thread.empty()) json["by_thread"] = counter.by_thread;
  if (!counter.by_rank.empty()) json["by_rank"] = counter.by_rank;
}

void from_json(const Json& json, CounterReading& counter) {
  json.at("group").get_to(counter.group);
  json.at("name").get_to(counter.name);
  json.at("unit").get_to(counter.unit);
  const Json& value = json.at("value");
  counter.value = std::monostate();
  if (value.is_number_float()) {
    counter.value = value.get<double>();
  } else if (!value.is_null()) {
    counter.value = value.get<std::int64_t>();
  }
  get_optional(json, "reason", counter.reason);
  counter.by_thread = json.value("by_thread", std::vector<std::int64_t>());
  counter.by_rank = json.value("by_rank", std::vector<std::int64_t>());
}

void to_json(Json& json, const LeastLargest& extent) {
  json = {{"least", extent.least}, {"largest", extent.largest}};
}

void from_json(const Json& json, LeastLargest& extent) {
  json.at("least").get_to(extent.least);
  json.at("largest").get_to(extent.largest);
}

void to_json(Json& json, const GpuKernel& kernel) {
  json = {{"name", kernel.name},
          {"launch_count", kernel.launch_count},
          {"gpu_ns", or_null(kernel.gpu_ns)},
          {"reason", or_null(kernel.reason)},
          {"registers_per_thread_count", kernel.registers_per_thread_count},
          {"static_shared_bytes", kernel.static_shared_bytes},
          {"dynamic_shared_bytes", kernel.dynamic_shared_bytes},
          {"grid_block_count", kernel.grid_block_count},
          {"block_thread_count", kernel.block_thread_count}};
}

void from_json(const Json& json, GpuKernel& kernel) {
  json.at("name").get_to(kernel.name);
  json.at("launch_count").get_to(kernel.launch_count);
  get_optional(json, "gpu_ns", kernel.gpu_ns);
  get_optional(json, "reason", kernel.reason);
  json.at("registers_per_thread_count").get_to(kernel.registers_per_thread_count);
  json.at("static_shared_bytes").get_to(kernel.static_shared_bytes);
  json.at("dynamic_shared_bytes").get_to(kernel.dynamic_shared_bytes);
  json.at("grid_block_count").get_to(kernel.grid_block_count);
  json.at("block_thread_count").get_to(kernel.block_thread_count);
}

void to_json(Json& json, const GpuCopy& copy) {
  json = {{"kind", copy.kind},
          {"count", copy.count},
          {"bytes", copy.bytes},
          {"gpu_ns", or_null(copy.gpu_ns)},
          {"reason", or_null(copy.reason)}};
}

void from_json(const Json& json, GpuCopy& copy) {
  json.at("kind").get_to(copy.kind);
  json.at("count").get_to(copy.count);
  json.at("bytes").get_to(copy.bytes);
  get_optional(json, "gpu_ns", copy.gpu_ns);
  get_optional(json, "reason", copy.reason);
}

void to_json(Json& json, const GpuSplit& split) {
  json = {{"launch_ns", split.launch_ns},
          {"kernel_ns", split.kernel_ns},
          {"copy_ns", split.copy_ns},
          {"gap_ns", split.gap_ns},
          {"synchronise_ns", split.synchronise_ns}};
}

void from_json(const Json& json, GpuSplit& split) {
  json.at("launch_ns").get_to(split.launch_ns);
  json.at("kernel_ns").get_to(split.kernel_ns);
  json.at("copy_ns").get_to(split.copy_ns);
  json.at("gap_ns").get_to(split.gap_ns);
  json.at("synchronise_ns").get_to(split.synchronise_ns);
}

void to_json(Json& json, const EnergyReading& energy) {
  json = {{"gpu_energy_j", or_null(energy.gpu_energy_j)},
          {"gpu_power_w", or_null(energy.gpu_power_w)},
          {"span_s", or_null(energy.span_s)},
          {"pass_count", or_null(energy.pass_count)},
          {"reason", or_null(energy.reason)},
          {"cpu_energy_j", or_null(energy.cpu_energy_j)},
          {"cpu_power_w", or_null(energy.cpu_power_w)},
          {"cpu_reason", or_null(energy.cpu_reason)}};
}

void from_json(const Json& json, EnergyReading& energy) {
  get_optional(json, "cpu_energy_j", energy.cpu_energy_j);
  get_optional(json, "cpu_power_w", energy.cpu_power_w);
  get_optional(json, "cpu_reason", energy.cpu_reason);
  get_optional(json, "gpu_energy_j", energy.gpu_energy_j);
  get_optional(json, "gpu_power_w", energy.gpu_power_w);
  get_optional(json, "span_s", energy.span_s);
  get_optional(json, "pass_count", energy.pass_count);
  get_optional(json, "reason", energy.reason);
}

void to_json(Json& json, const ProfileReading& profile) {
  Json stacks = Json::array();
  for (const auto& [stack, count] : profile.stacks) {
    stacks.push_back({{"stack", stack}, {"count", count}});
  }
  json = {{"profiler", profile.profiler},
          {"file", profile.file.empty() ? Json() : Json(profile.file)},
          {"unit", profile.unit.empty() ? Json() : Json(profile.unit)},
          {"pass_count", profile.pass_count},
          {"stacks", std::move(stacks)},
          {"reason", or_null(profile.reason)}};
}

void from_json(const Json& json, ProfileReading& profile) {
  profile = {};
  json.at("profiler").get_to(profile.profiler);
  if (json.at("file").is_string()) json.at("file").get_to(profile.file);
  if (json.at("unit").is_string()) json.at("unit").get_to(profile.unit);
  json.at("pass_count").get_to(profile.pass_count);
  for (const Json& stack : json.at("stacks")) {
    profile.stacks.emplace_back(stack.at("stack").get<std::string>(),
                                stack.at("count").get<std::uint64_t>());
  }
  get_optional(json, "reason", profile.reason);
}

// Readings lie among the cell's own keys.

namespace {

void add_readings(Json& json, const CellReplicate& cell) {
  if (cell.extraction) json["extraction"] = *cell.extraction;
  if (cell.visits) json["visits"] = *cell.visits;
  if (cell.timed) {
    json["step_ns"] = cell.timed->step_ns;
    json["pass_cpu_ns"] = cell.timed->pass_cpu_ns;
    json["stop_reason"] = cell.timed->stop_reason;
    json["queued_ratio"] = or_null(cell.timed->queued_ratio);
    if (cell.timed->most_iterations > 1) json["iteration_count"] = cell.timed->most_iterations;
    if (!cell.timed->rank_pass_ns.empty()) json["rank_pass_ns"] = cell.timed->rank_pass_ns;
    if (!cell.timed->process_pass_ns.empty()) {
      json["process_pass_ns"] = cell.timed->process_pass_ns;
    }
  }
  if (cell.phases) {
    json["phases"] = cell.phases->phases;
    json["phase_log"] = cell.phases->phase_log;
    json["instrumented_ratio"] = or_null(cell.phases->instrumented_ratio);
    if (!cell.phases->work_counts.is_null()) json["work_counts"] = cell.phases->work_counts;
  }
  if (cell.kernels) {
    json["gpu_kernels"] = or_null(cell.kernels->kernels);
    json["gpu_copies"] = or_null(cell.kernels->copies);
    json["gpu_split"] = or_null(cell.kernels->split);
    json["gpu_kernels_reason"] = or_null(cell.kernels->reason);
  }
  if (cell.counters) json["counters"] = *cell.counters;
  if (cell.energy) json["energy"] = *cell.energy;
  if (cell.resident_bytes) json["resident_bytes"] = *cell.resident_bytes;
  if (cell.bound_ns) json["bound_ns"] = *cell.bound_ns;
  if (cell.profile) json["profile"] = *cell.profile;
}

void take_readings(const Json& json, CellReplicate& cell) {
  get_optional(json, "extraction", cell.extraction);
  get_optional(json, "visits", cell.visits);
  if (json.contains("step_ns")) {
    TimedSamples& timed = cell.timed.emplace();
    json.at("step_ns").get_to(timed.step_ns);
    json.at("pass_cpu_ns").get_to(timed.pass_cpu_ns);
    json.at("stop_reason").get_to(timed.stop_reason);
    get_optional(json, "queued_ratio", timed.queued_ratio);
    timed.most_iterations = json.value("iteration_count", std::uint64_t{1});
    timed.rank_pass_ns = json.value("rank_pass_ns", std::vector<double>());
    timed.process_pass_ns = json.value("process_pass_ns", std::vector<double>());
  }
  if (json.contains("phases")) {
    PhasesReading& phases = cell.phases.emplace();
    json.at("phases").get_to(phases.phases);
    phases.phase_log = json.at("phase_log");
    get_optional(json, "instrumented_ratio", phases.instrumented_ratio);
    phases.work_counts = json.value("work_counts", Json());
  }
  if (json.contains("gpu_kernels")) {
    KernelsReading& kernels = cell.kernels.emplace();
    get_optional(json, "gpu_kernels", kernels.kernels);
    get_optional(json, "gpu_copies", kernels.copies);
    // Older journals lack the key.
    if (json.contains("gpu_split")) get_optional(json, "gpu_split", kernels.split);
    get_optional(json, "gpu_kernels_reason", kernels.reason);
  }
  get_optional(json, "counters", cell.counters);
  get_optional(json, "energy", cell.energy);
  get_optional(json, "resident_bytes", cell.resident_bytes);
  get_optional(json, "bound_ns", cell.bound_ns);
  get_optional(json, "profile", cell.profile);
}

}  // namespace

void to_json(Json& json, const CellReplicate& cell) {
  Json answers = Json::object();
  for (const auto& [query, facts] : cell.answers) answers[std::to_string(query)] = facts;
  json = {{"id", cell.id},
          {"variant", cell.variant},
          {"status", cell.wrong ? "wrong" : "ok"},
          {"validation", cell.validation},
          {"prepare_ns", or_null(cell.prepare_ns)},
          {"accounted", object_of(cell.accounted)},
          {"threads", cell.threads},
          {"answers", answers}};
  add_readings(json, cell);
}

void from_json(const Json& json, CellReplicate& cell) {
  cell = {};
  json.at("id").get_to(cell.id);
  json.at("variant").get_to(cell.variant);
  cell.wrong = json.at("status") == "wrong";
  json.at("validation").get_to(cell.validation);
  get_optional(json, "prepare_ns", cell.prepare_ns);
  cell.accounted = pairs_of<std::uint64_t>(json.at("accounted"));
  json.at("threads").get_to(cell.threads);
  const Json answers = json.value("answers", Json::object());
  for (const auto& [query, facts] : answers.items()) cell.answers[std::stoull(query)] = facts;
  take_readings(json, cell);
}

void to_json(Json& json, const Replicate& replicate) {
  json = {{"kind", to_string(replicate.pass)},
          {"observed", nullptr},
          {"pu_count", replicate.pu_count},
          {"open_ns", or_null(replicate.open_ns)},
          {"core_mhz", or_null(replicate.core_mhz)},
          {"steal_ratio", or_null(replicate.steal_ratio)},
          {"pages", or_null(replicate.pages)},
          {"gpu", or_null(replicate.gpu)},
          {"ranks", or_null(replicate.ranks)},
          {"certified", certified_json(replicate.certified)},
          {"cells", replicate.cells}};
  // One process has a text, several have an array of texts.
  if (replicate.observed.size() == 1) {
    json["observed"] = replicate.observed.front();
  } else {
    json["observed"] = replicate.observed;
  }
}

void from_json(const Json& json, Replicate& replicate) {
  replicate = {};
  replicate.pass = pass_of(json.at("kind").get<std::string>());
  const Json& observed = json.at("observed");
  if (observed.is_array()) {
    observed.get_to(replicate.observed);
  } else {
    replicate.observed = {observed.get<std::string>()};
  }
  json.at("pu_count").get_to(replicate.pu_count);
  get_optional(json, "open_ns", replicate.open_ns);
  get_optional(json, "core_mhz", replicate.core_mhz);
  get_optional(json, "steal_ratio", replicate.steal_ratio);
  get_optional(json, "pages", replicate.pages);
  get_optional(json, "gpu", replicate.gpu);
  get_optional(json, "ranks", replicate.ranks);
  replicate.certified = certified_of(json.at("certified"));
  json.at("cells").get_to(replicate.cells);
}

void to_json(Json& json, const ProbedCell& cell) {
  json = {{"id", cell.id},
          {"resolved", cell.resolved},
          {"code", or_null(cell.code)},
          {"reason", or_null(cell.reason)}};
}

void from_json(const Json& json, ProbedCell& cell) {
  json.at("id").get_to(cell.id);
  json.at("resolved").get_to(cell.resolved);
  get_optional(json, "code", cell.code);
  get_optional(json, "reason", cell.reason);
}

void to_json(Json& json, const Probed& probed) {
  json = {{"facts", probed.facts},
          {"query_count", probed.query_count},
          {"query_digest", probed.query_digest},
          {"first_queries", probed.first_queries},
          {"cells", probed.cells},
          {"build", probed.build}};
}

void from_json(const Json& json, Probed& probed) {
  probed.facts = json.at("facts");
  json.at("query_count").get_to(probed.query_count);
  json.at("query_digest").get_to(probed.query_digest);
  json.at("first_queries").get_to(probed.first_queries);
  json.at("cells").get_to(probed.cells);
  probed.build = json.value("build", Json());
}

// Events.

namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

Json event_json(const Event& event) {
  return std::visit(
      Overloaded{
          [](const CellEntered& entered) {
            return Json{{"event", "cell"}, {"id", entered.id}, {"step", entered.step}};
          },
          [](const Ready&) {
            return Json{{"event", "ready"}};
          },
          [](const Sampled&) {
            return Json{{"event", "sampled"}};
          },
          [](const SamplingProgress& progress) {
            return Json{{"event", "progress"}, {"pass_ns", object_of(progress.pass_ns)}};
          },
          [](const Crashing& crashing) {
            return Json{{"event", "crashing"}, {"id", crashing.id}, {"query", crashing.query}};
          },
          [](const Failed& failed) {
            Json error = {{"event", "error"}, {"code", failed.code}, {"message", failed.message}};
            if (failed.rank) error["rank"] = *failed.rank;
            return error;
          },
          [](const Done& done) {
            return Json{{"event", "done"}, {"replicate", done.replicate}};
          },
          [](const Probed& probed) {
            return Json{{"event", "probed"}, {"workload", probed}};
          },
      },
      event);
}

Event event_of(const Json& json) {
  const auto& kind = json.at("event").get_ref<const std::string&>();
  if (kind == "cell") {
    return CellEntered{json.at("id").get<std::string>(), json.at("step").get<std::string>()};
  }
  if (kind == "ready") {
    return Ready();
  }
  if (kind == "sampled") {
    return Sampled();
  }
  if (kind == "progress") {
    return SamplingProgress{pairs_of<double>(json.at("pass_ns"))};
  }
  if (kind == "crashing") {
    return Crashing{json.at("id").get<std::string>(), json.at("query").get<std::string>()};
  }
  if (kind == "error") {
    Failed failed{json.at("code").get<int>(), json.at("message").get<std::string>(), {}};
    get_optional(json, "rank", failed.rank);
    return failed;
  }
  if (kind == "done") {
    return Done{json.at("replicate").get<Replicate>()};
  }
  if (kind == "probed") {
    return json.at("workload").get<Probed>();
  }
  throw InputError("event", "'" + kind + "' is not an event",
                   "see harness/schema/wire.schema.json");
}

}  // namespace

std::string line_of(const Request& request) { return json_text(Json(request)) + "\n"; }

std::string line_of(const Event& event) { return json_text(event_json(event)) + "\n"; }

std::optional<Event> parse_event(const std::string& line) {
  const Json json = parse_json(line);
  if (!json.is_object() || !json.contains("event") || !json["event"].is_string()) return {};
  try {
    return event_of(json);
  } catch (const std::exception& error) {
    throw Error(ExitCode::internal, "worker",
                "sent an event that can't be read: " + std::string(error.what()),
                "use a supervisor and a worker of the same release");
  }
}

}  // namespace bellmark::run
