// The wire: the messages between a supervisor and its worker, one JSON object a line.
//
// A supervisor writes one Request to the worker's standard input. The worker answers with Events,
// the last of which is Done, Probed or Failed. Workers that run at once say Ready before they
// sample and Sampled afterwards. The supervisor answers with the lines `begin` and `end`.
// harness/schema/wire.schema.json describes the form, and a test compares it with these structures.
//
// Every structure has one to_json() and one from_json(). A reader passes over keys that it doesn't
// know. A missing key is an error that names it. Numeric keys carry their unit.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "algorithms/contract/problem.hpp"
#include "harness/external/program.hpp"
#include "harness/machine/memory_policy.hpp"
#include "harness/machine/pages.hpp"
#include "harness/measure/sampler.hpp"
#include "harness/measure/start.hpp"

namespace bellmark::run {

using Json = nlohmann::ordered_json;

/// Raised when a key changes its meaning, or when a reader needs a new key to read a message right.
/// A worker refuses a request of another version.
inline constexpr int kWireVersion = 1;

/// A worker's task for the cells of a request.
enum class Pass {
  probe,      ///< opens the workload and says what is known of it and the cells; runs nothing
  timed,      ///< samples, nothing else going on
  visits,     ///< each query for the first time, and again with others between
  phases,     ///< phases and phase logs
  kernels,    ///< GPU kernels and copies
  counters,   ///< one group of counters
  simulated,  ///< prepares and runs under a simulator that counts; checks nothing
  energy,     ///< energy of the GPU
  memory,     ///< peak resident memory
  profile,    ///< a process under somebody's profiler; of a request it is `simulated`
};
/// The pass's word on the wire and in the journal, such as `timed`.
std::string to_string(Pass pass);
/// Throws InputError that suggests the nearest name.
Pass pass_of(std::string_view name);

/// For each query the digests of answers that passed the whole certificate, as 16 hexadecimal
/// digits.
using CertifiedDigests = std::vector<std::vector<std::uint64_t>>;

struct CellRequest {
  std::string id;       ///< repeated in all that is said of the cell
  std::string variant;  ///< canonical name
  measure::Start start = measure::Start::as_left;
};

/// Facts for a process that is one of several ranks. All ranks share one request.
struct RankRequest {
  std::size_t count = 1;         ///< ranks in all
  bool needs_cuda = false;       ///< whether each needs a GPU of its own
  std::string status_file = {};  ///< where ranks on the supervisor's host note how far they are
  /// The rank's index among the ranks of its host. The rank fills it in itself.
  std::size_t local_rank = 0;
  std::size_t local_count = 1;
};

struct Request {
  Pass pass = Pass::timed;
  std::string problem;
  std::string graph;  ///< the input's reference, whatever the problem
  QueryRule queries;
  std::string placement;                          ///< a plain location word
  machine::Pages pages = machine::Pages::system;  ///< the default of a request without the key
  std::string memory = machine::kSystemMemory;    ///< where it lies; likewise
  std::string prepared = {};                      ///< folder of prepared files; "" for none
  bool force = false;                             ///< go on when a thread can't be pinned
  std::vector<CellRequest> cells;
  std::vector<external::Program> programs = {};  ///< other people's programs of the cells

  // Members that a probe does not need.
  std::size_t worker = 0;         ///< index of the placement's place that this process is on
  std::size_t process_count = 1;  ///< processes that run at once, each on a place of the placement
  std::uint64_t seed = 0;         ///< of the sampling order
  measure::StopRule stop_rule;
  std::string counter_group;   ///< for Pass::counters
  std::size_t pass_count = 1;  ///< for Pass::simulated: passes over the queries
  CertifiedDigests certified;  ///< by this run's earlier processes
  std::optional<RankRequest> ranks;
};

/// Checks of a cell's answers.
struct Validation {
  std::uint64_t certificate_count = 0;
  std::uint64_t gpu_certificate_count = 0;  ///< of those, by a GPU
  std::uint64_t digest_count = 0;
  std::optional<std::string> detail;  ///< the first fault
};

/// The place that a variant's thread was given, and the place where it was found.
struct ThreadPlace {
  std::size_t index = 0;
  std::string resolved;
  std::string observed;
};

/// The readings of a GPU in a replicate. `before` and `after` are the states that NVML told
/// (machine::Gpus::state()), or null with the `reason`.
struct GpuReading {
  std::optional<std::size_t> index;
  std::optional<std::string> name;
  std::optional<std::string> pci_bus_id;
  Json before;
  Json after;
  std::optional<std::string> reason;
};

/// The places of one rank.
struct RankPlace {
  std::size_t rank = 0;
  std::string host;
  std::string resolved;
  std::size_t pu_count = 0;
  std::string observed;
  std::vector<GpuReading> gpus;
};

/// Timed samples of one process, or of ranks together.
struct TimedSamples {
  measure::StepTimes step_ns;  ///< [pass][step]
  std::vector<double> pass_cpu_ns;
  std::string stop_reason;
  std::vector<double> rank_pass_ns;     ///< median time of a pass of each rank; none without ranks
  std::vector<double> process_pass_ns;  ///< the same of processes at once; filled in when merged
  /// The part of the samples' time in which a thread was ready to run and had no core. Of several
  /// threads, ranks or processes it is the largest part. Nothing where the kernel does not tell it.
  std::optional<double> queued_ratio = {};
  /// The number of runs in a row that share one time. Of several queries it is the largest.
  std::uint64_t most_iterations = 1;
};

/// One phase of a query, on average, and the phases within it.
struct PhaseSummary {
  std::string name;
  std::uint64_t count = 0;  ///< over all queries
  double wall_ns = 0;       ///< of a query
  double share_ratio = 0;   ///< of the instrumented time
  std::vector<std::pair<std::string, double>> notes;
  std::vector<PhaseSummary> children;
};

struct PhasesReading {
  std::vector<PhaseSummary> phases;
  Json phase_log;  ///< as in result.schema.json; null where the variant keeps none
  std::optional<double> instrumented_ratio;
  Json work_counts = {};  ///< by name: `value`, the mean of a query, or null and `reason`
};

/// One counter's value, or the reason why it has none.
struct CounterReading {
  std::string group;
  std::string name;
  std::string unit;
  std::variant<std::monostate, std::int64_t, double> value;
  std::optional<std::string> reason;
  std::vector<std::int64_t> by_thread = {};  ///< of several threads, the calling one first
  std::vector<std::int64_t> by_rank = {};    ///< of several ranks
};

struct LeastLargest {
  std::uint64_t least = 0;
  std::uint64_t largest = 0;
};

/// All launches of one kernel.
struct GpuKernel {
  std::string name;
  std::uint64_t launch_count = 0;
  std::optional<std::uint64_t> gpu_ns;
  std::optional<std::string> reason;  ///< why there is no time
  std::uint64_t registers_per_thread_count = 0;
  std::uint64_t static_shared_bytes = 0;
  LeastLargest dynamic_shared_bytes;
  LeastLargest grid_block_count;
  LeastLargest block_thread_count;
};

/// All copies of one kind: `host-to-device`, ..., `memset`.
struct GpuCopy {
  std::string kind;
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  std::optional<std::uint64_t> gpu_ns;
  std::optional<std::string> reason;
};

/// The parts of a pass's time (sinks::TimeSplit).
struct GpuSplit {
  std::uint64_t launch_ns = 0;
  std::uint64_t kernel_ns = 0;
  std::uint64_t copy_ns = 0;
  std::uint64_t gap_ns = 0;
  std::uint64_t synchronise_ns = 0;
};

/// Empty, with the reason, when kernels could not be recorded.
struct KernelsReading {
  std::optional<std::vector<GpuKernel>> kernels;
  std::optional<GpuSplit> split;  ///< nothing where a kernel or copy has no time
  std::optional<std::vector<GpuCopy>> copies;
  std::optional<std::string> reason;
};

struct EnergyReading {
  std::optional<double> gpu_energy_j;  ///< of one query
  std::optional<double> gpu_power_w;
  std::optional<double> span_s;
  std::optional<std::size_t> pass_count;
  std::optional<std::string> reason;  ///< why the GPU's energy is missing
  // Of all packages of the machine (machine/rapl.hpp).
  std::optional<double> cpu_energy_j = {};  ///< of one query
  std::optional<double> cpu_power_w = {};
  std::optional<std::string> cpu_reason = {};
};

/// A profiler's findings for one cell, or the reason why there are none.
struct ProfileReading {
  std::string profiler;
  std::string file = {};  ///< its artefact, within the folder of the run; "" for none
  std::string unit = {};  ///< of `stacks`
  std::vector<std::pair<std::string, std::uint64_t>> stacks = {};  ///< `main;run`: largest first
  std::size_t pass_count = 0;  ///< passes over the queries, beside preparing once
  std::optional<std::string> reason = {};
};

/// The time that extract() took in the untimed pass.
struct Extraction {
  double extract_ns = 0;           ///< of an answer
  double allowed_ns = 0;           ///< time that an answer of its size may take
  std::uint64_t answer_bytes = 0;  ///< of the largest
};

/// The times of each query's two visits, in the order of the queries.
struct VisitsReading {
  std::vector<double> first_ns;
  std::vector<double> later_ns;   ///< of the same queries, all others between
  std::int64_t grown_bytes = 0;   ///< resident memory, over the later visits; of ranks the most
  std::size_t between_count = 0;  ///< queries between the two visits
  /// Growth of the GPUs' used memory, over the later visits. Nothing for a cell that needs no GPU.
  std::optional<std::int64_t> grown_gpu_bytes = {};
};

/// A worker's report on one cell. It has the readings of its pass. A wrong answer leaves none.
struct CellReplicate {
  std::string id;
  std::string variant;  ///< canonical, `auto` values resolved
  bool wrong = false;
  Validation validation;
  std::optional<std::int64_t> prepare_ns;
  std::vector<std::pair<std::string, std::uint64_t>> accounted;  ///< bytes by what they hold
  std::vector<ThreadPlace> threads;
  std::map<std::size_t, Json> answers;  ///< by query: facts that the result keeps of its answer

  std::optional<Extraction> extraction;  ///< of one process alone, where it validated
  /// For another program that reports its times: the median of our clock's times of the same
  /// queries.
  std::optional<double> bound_ns;

  std::optional<TimedSamples> timed;
  std::optional<VisitsReading> visits;
  std::optional<PhasesReading> phases;
  std::optional<KernelsReading> kernels;
  std::optional<std::vector<CounterReading>> counters;
  std::optional<EnergyReading> energy;
  std::optional<std::uint64_t> resident_bytes;
  std::optional<ProfileReading> profile = {};
};

/// One group of cells measured once, by one process, by processes at once, or by ranks.
struct Replicate {
  Pass pass = Pass::timed;
  std::vector<std::string> observed;  ///< where each process's thread was found
  std::size_t pu_count = 0;           ///< of the placement
  std::optional<std::int64_t> open_ns;
  std::optional<double> core_mhz;  ///< estimated after timed samples; the slowest of all
  /// The part of the sampling's time in which a hypervisor gave the cores to others. Of several
  /// processes it is the largest.
  std::optional<double> steal_ratio;
  std::optional<machine::PageUse> pages;  ///< after timed samples; of all processes together
  std::optional<GpuReading> gpu;          ///< none where no cell needs CUDA
  std::optional<std::vector<RankPlace>> ranks;
  CertifiedDigests certified;  ///< what the request held and this process certified
  std::vector<CellReplicate> cells;
};

/// The facts about one cell before it is measured.
struct ProbedCell {
  std::string id;
  std::string resolved;               ///< canonical name with `auto` values resolved
  std::optional<std::string> code;    ///< unmet-need | bad-setting | not-built
  std::optional<std::string> reason;  ///< with the code: why the cell can't be measured
};

/// The facts about a workload before anything is measured.
struct Probed {
  Json facts;
  std::size_t query_count = 0;
  std::string query_digest;
  std::vector<std::string> first_queries;
  std::vector<ProbedCell> cells;
  Json build = {};  ///< machine::build_identity() of the worker; null of one that doesn't say
};

// Events, in the order in which they may come.

/// The worker goes on to another cell or step. `id` is empty while several cells are sampled
/// together.
struct CellEntered {
  std::string id;
  std::string step;  ///< `prepare`, `validate`, or the name of the pass
};
struct Ready {};    ///< waits for the others, and for `begin`
struct Sampled {};  ///< has its samples, and works on until `end`
/// The median time of a pass so far, by cell.
struct SamplingProgress {
  std::vector<std::pair<std::string, double>> pass_ns;
};
/// The last words of a process that a signal ends.
struct Crashing {
  std::string id;     ///< of the cell
  std::string query;  ///< in words: `source 17`; "" where it isn't known
};
struct Failed {
  int code = 1;  ///< the exit code that the error asks for (base/error.hpp)
  std::string message;
  std::optional<std::size_t> rank;
};
struct Done {
  Replicate replicate;
};

using Event =
    std::variant<CellEntered, Ready, Sampled, SamplingProgress, Crashing, Failed, Done, Probed>;

/// The request of a line. Its `version` is read first. Throws InputError with the fault and its
/// place.
Request parse_request(const std::string& line);
/// The request as one line.
std::string line_of(const Request& request);
std::string line_of(const Event& event);
/// The event of a worker's line. Nothing for a line that is not an event: programs print on the
/// same stream. Throws Error(internal) for an event that lacks a required key.
std::optional<Event> parse_event(const std::string& line);

void to_json(Json& json, const Request& request);
void from_json(const Json& json, Request& request);
void to_json(Json& json, const Replicate& replicate);
void from_json(const Json& json, Replicate& replicate);
void to_json(Json& json, const CellReplicate& cell);
void from_json(const Json& json, CellReplicate& cell);
void to_json(Json& json, const Probed& probed);
void from_json(const Json& json, Probed& probed);

// Parts that have the same form in results and on the wire.
void to_json(Json& json, const Extraction& extraction);
void from_json(const Json& json, Extraction& extraction);
void to_json(Json& json, const VisitsReading& visits);
void from_json(const Json& json, VisitsReading& visits);
void to_json(Json& json, const GpuReading& gpu);
void from_json(const Json& json, GpuReading& gpu);
void to_json(Json& json, const RankPlace& place);
void from_json(const Json& json, RankPlace& place);
void to_json(Json& json, const PhaseSummary& phase);
void to_json(Json& json, const CounterReading& counter);
void to_json(Json& json, const GpuKernel& kernel);
void to_json(Json& json, const GpuCopy& copy);
void to_json(Json& json, const GpuSplit& split);
void to_json(Json& json, const EnergyReading& energy);
void to_json(Json& json, const ProfileReading& profile);

}  // namespace bellmark::run

namespace bellmark::machine {

void to_json(nlohmann::ordered_json& json, const PageUse& pages);
void from_json(const nlohmann::ordered_json& json, PageUse& pages);

}  // namespace bellmark::machine
