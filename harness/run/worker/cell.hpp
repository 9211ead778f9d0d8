// One cell in a worker's process: the bound variant, and the checks of its answers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/parallel/communicator.hpp"
#include "harness/machine/caches.hpp"
#include "harness/machine/thread_places.hpp"
#include "harness/measure/clock.hpp"
#include "harness/measure/sampler.hpp"
#include "harness/measure/start.hpp"
#include "harness/run/protocol/messages.hpp"
#include "harness/run/worker/place.hpp"
#include "harness/run/worker/queue_watch.hpp"

namespace bellmark::run {

/// Keeps a worker in step with the workers beside it.
struct Peers {
  std::function<void()> wait = {};  ///< returns when all are ready to sample
  std::function<bool()> over = {};  ///< whether all have their samples; never blocks
  /// Gets each query (from 1) and its words before it runs, untimed. A batch has no words.
  std::function<void(std::size_t, const std::string&)> at_query = {};
};

/// Prepares, runs and checks one variant on the workload. Where right answers can't differ
/// (distances are unique), the first certified digest of a query decides all later answers.
class WorkerCell final : public measure::Subject {
 public:
  WorkerCell(std::string id, const Selection& selection, Workload& workload,
             CertifiedDigests& certified, WorkerPlace& place, const Peers& peers,
             std::unique_ptr<machine::ThreadPlaces> thread_places);
  /// `flush` serves Start::cold; it must outlive the cell.
  void set_start(measure::Start start, machine::CacheFlush& flush) {
    start_ = start;
    flush_ = &flush;
  }
  WorkerCell(const WorkerCell&) = delete;
  WorkerCell& operator=(const WorkerCell&) = delete;
  ~WorkerCell() override;

  const std::string& id() const { return id_; }
  bool wrong() const { return fault_.has_value(); }
  bool needs_cuda() const { return needs_cuda_; }
  /// True if another program does the search, in a process of its own.
  bool is_program() const { return is_program_; }
  /// Reports the peak memory of that program's later runs.
  void watch_memory() { context_.set_watches_memory(true); }
  /// The peak of the last run; nothing where it is unknown.
  std::optional<std::uint64_t> program_peak_bytes() const {
    return context_.program() ? context_.program()->peak_bytes : std::nullopt;
  }
  /// Valid after prepare(): the calling thread and the threads that the variant made.
  std::size_t thread_count() const { return thread_places_->threads().size() + 1; }
  /// The system's numbers of those threads, the calling one first.
  std::span<const pid_t> thread_ids();

  /// Valid after a run. A variant with a phase log may decide by its clock, and instruments disturb
  /// the clock. So run() must come before an instrumented run of the same query, which then repeats
  /// the decisions.
  bool logs_phases() const { return !variant_->phase_log().columns.empty(); }
  PhaseLog phase_log() const { return variant_->phase_log(); }

  std::size_t step_count() const override { return batch_ ? 1 : query_count_; }

  /// Threads that the variant makes may create rows, and threads that search enter their places.
  /// Collective.
  void prepare(measure::Clock& clock);

  /// Makes the caches and the core ready as the cell's start asks.
  void make_ready(std::size_t step);
  void approach(std::size_t step) override;
  std::int64_t agreed_ns(std::int64_t own_ns) override;
  std::int64_t other_cpu_ns() const override {
    return context_.program() ? context_.program()->cpu_ns : 0;
  }
  std::uint64_t iterations(std::size_t step) const override {
    return iterations_.empty() ? 1 : iterations_[step];
  }
  void run(std::size_t step) override { run(step, context_, iterations(step)); }
  void run(std::size_t step, RunContext& context, std::uint64_t times = 1);
  bool check(std::size_t step) override;

  /// From this call on each query is a step of its own, in a batch variant too.
  void ask_singly() { batch_ = false; }

  /// Decides how often in a row each timed step runs, if it may. The clock then takes a thousandth
  /// of the time.
  void choose_iterations(measure::Clock& clock);

  /// The untimed pass. Every answer goes through the whole certificate. It goes through its digest
  /// if an earlier process of this run certified that query with this `full`. Memory is poisoned
  /// meanwhile, and extract() is timed.
  void validate(measure::Clock& clock, bool full);
  /// The whole certificate on the last answer that this process computed.
  void certify_last();

  /// The lost time of runs, each between approach() and agreed_ns().
  QueueWatch& queue_watch() { return queue_watch_; }

  /// The facts about the cell, without a reading. Collective: the ranks' accounts are compared.
  CellReplicate replicate() const;

 private:
  template <class F>
  void for_queries(std::size_t step, F&& visit) {
    const std::size_t first = batch_ ? 0 : step;
    const std::size_t last = batch_ ? query_count_ : step + 1;
    for (std::size_t query = first; query < last && !wrong(); ++query) {
      try {
        visit(query);
      } catch (const AnswerFault& fault) {
        place_.take_own();
        fault_ = "query " + std::to_string(query + 1) + ": " + fault.what();
      }
    }
  }

  bool is_certified(std::size_t query, std::uint64_t digest) const;
  /// A fault that one rank finds is every rank's.
  std::optional<std::string> find_fault(std::size_t query);
  /// Nothing, and a fault, when the ranks have different digests of one answer.
  std::optional<std::uint64_t> find_digest(std::size_t query);
  void keep_facts(std::size_t query);
  /// Extracts the answer again. Gives the time of extract() (working_ns()).
  double extract(std::size_t query, measure::Clock& clock);
  /// Checks the answer by its digest, or by the certificate if no digest is known.
  void check_query(std::size_t query);
  void certify(std::size_t query);
  /// After a digest differs, the certificate names the fault.
  void explain(std::size_t query);

  std::string id_;
  std::string name_;
  bool leaves_part_ = false;             ///< of the answer outside the time
  std::vector<std::string> last_words_;  ///< by step; the last one serves all later steps
  std::size_t query_count_;
  bool many_answers_;
  bool batch_ = false;
  bool needs_cuda_ = false;
  bool is_program_ = false;
  bool is_certified_ = true;  ///< else only the variant's own check is made
  bool times_itself_ = false;
  bool repeats_ = false;
  measure::Start start_ = measure::Start::as_left;
  machine::CacheFlush* flush_ = nullptr;
  std::vector<std::uint64_t> iterations_;  ///< by step; empty before they are chosen
  std::vector<double> bounds_ns_;          ///< our times of a program that reports its own, by run
  const Workload& workload_;
  Communicator& ranks_;
  const Peers& peers_;
  WorkerPlace& place_;
  std::unique_ptr<machine::ThreadPlaces> thread_places_;
  RunContext context_;
  std::unique_ptr<BoundVariant> variant_;
  CertifiedDigests& certified_;
  std::optional<std::string> fault_;
  std::optional<std::size_t> last_step_;
  QueueWatch queue_watch_;
  std::vector<pid_t> thread_ids_;
  std::optional<Extraction> extraction_;
  Validation validation_;  ///< but for the fault
  std::int64_t prepare_ns_ = 0;
  std::map<std::size_t, Json> answers_;  ///< by query: what the result keeps of its answer
};

}  // namespace bellmark::run
