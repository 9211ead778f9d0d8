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

/// How a worker keeps in step with those that run beside it.
struct Peers {
  std::function<void()> wait = {};  ///< returns when all are ready to sample
  std::function<bool()> over = {};  ///< whether all have their samples; never blocks
  /// Told of each query (from 1) and its words, which a batch has none of, before it runs; untimed.
  std::function<void(std::size_t, const std::string&)> at_query = {};
};

/// Prepares, runs and checks one variant on the workload. Where right answers don't differ
/// (distances are unique) the first certified digest of a query decides all other answers to it.
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
  /// Whether another program does the search, in a process of its own.
  bool is_program() const { return is_program_; }
  /// Of that program's runs from here on the peak memory is told.
  void watch_memory() { context_.set_watches_memory(true); }
  /// Of the last run; nothing where it could not be told.
  std::optional<std::uint64_t> program_peak_bytes() const {
    return context_.program() ? context_.program()->peak_bytes : std::nullopt;
  }
  /// Asked after prepare(): the calling thread and those that the variant made.
  std::size_t thread_count() const { return thread_places_->threads().size() + 1; }
  /// Those threads, the calling one first, by the system's numbers.
  std::span<const pid_t> thread_ids();

  /// Asked after a run. Such a variant may decide by its clock, which instruments disturb: run()
  /// must come before an instrumented run of the same query, which then repeats the decisions.
  bool logs_phases() const { return !variant_->phase_log().columns.empty(); }
  PhaseLog phase_log() const { return variant_->phase_log(); }

  std::size_t step_count() const override { return batch_ ? 1 : query_count_; }

  /// Rows may be made by threads of the variant's own making; those that search enter their places.
  /// Collective.
  void prepare(measure::Clock& clock);

  /// Does what the cell's start asks for.
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

  /// Each query is a step of its own from here on, of a batch variant too.
  void ask_singly() { batch_ = false; }

  /// Decides how often in a row each step runs while it is timed, where it may: so often that the
  /// clock is a thousandth of the time.
  void choose_iterations(measure::Clock& clock);

  /// The untimed pass: every answer through the whole certificate, or through its digest when an
  /// earlier process of this run certified that query with this `full` already done. Memory is
  /// poisoned meanwhile, and extract() timed.
  void validate(measure::Clock& clock, bool full);
  /// The whole certificate on the last answer that this process computed.
  void certify_last();

  /// What was lost of runs, each between approach() and agreed_ns().
  QueueWatch& queue_watch() { return queue_watch_; }

  /// What is said of the cell, without a reading. Collective: what the ranks account is compared.
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
  /// One that any of the ranks finds is every rank's.
  std::optional<std::string> find_fault(std::size_t query);
  /// Nothing, and a fault, when the ranks have unlike digests of what should be one answer.
  std::optional<std::uint64_t> find_digest(std::size_t query);
  void keep_facts(std::size_t query);
  /// Extracts the answer anew; what extract() took (working_ns()).
  double extract(std::size_t query, measure::Clock& clock);
  /// By its digest, or where none is known by the certificate.
  void check_query(std::size_t query);
  void certify(std::size_t query);
  /// A digest differs: the certificate says what is wrong.
  void explain(std::size_t query);

  std::string id_;
  std::string name_;
  bool leaves_part_ = false;             ///< of the answer outside the time
  std::vector<std::string> last_words_;  ///< by step; the last one serves all that follow
  std::size_t query_count_;
  bool many_answers_;
  bool batch_ = false;
  bool needs_cuda_ = false;
  bool is_program_ = false;
  bool is_certified_ = true;  ///< else the variant's own check is all there is
  bool times_itself_ = false;
  bool repeats_ = false;
  measure::Start start_ = measure::Start::as_left;
  machine::CacheFlush* flush_ = nullptr;
  std::vector<std::uint64_t> iterations_;  ///< by step; empty before they are chosen
  std::vector<double> bounds_ns_;          ///< of a program that says its times: ours, a run each
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
