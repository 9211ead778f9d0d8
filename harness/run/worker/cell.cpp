#include "harness/run/worker/cell.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

#include "harness/machine/cuda.hpp"
#include "harness/measure/statistics.hpp"
#include "harness/run/protocol/json_text.hpp"
#include "harness/run/protocol/work_facts.hpp"
#include "harness/run/worker/agree.hpp"
#include "harness/run/worker/extraction.hpp"
#include "harness/run/worker/last_words.hpp"

namespace bellmark::run {
namespace {

/// When one pass takes longer than this, the untimed pass covers only the first queries.
constexpr double kLongPassSeconds = 2;
constexpr std::size_t kWarmupQueries = 16;

Json fact_json(const FactValue& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

/// Of several ranks, the one that holds most counts.
std::vector<std::pair<std::string, std::uint64_t>> accounted_by_ranks(Communicator& ranks,
                                                                      const RunContext& context) {
  Json own = Json::object();
  for (const auto& [what, bytes] : context.accounted()) own[what] = bytes;
  std::vector<std::pair<std::string, std::uint64_t>> accounted;
  for (const std::string& text : texts_of_all(ranks, json_text(own))) {
    const Json of_rank = Json::parse(text);
    for (const auto& [what, bytes] : of_rank.items()) {
      const auto held = bytes.get<std::uint64_t>();
      const auto known = std::ranges::find(
          accounted, what, [](const auto& pair) -> const auto& { return pair.first; });
      if (known == accounted.end()) {
        accounted.emplace_back(what, held);
      } else {
        known->second = std::max(known->second, held);
      }
    }
  }
  return accounted;
}

/// The last words of a process that dies, by step. A list of millions of queries is cut: the
/// remaining steps have no words of their own.
std::vector<std::string> words_of(const std::string& id, const Workload& workload, bool batch) {
  constexpr std::size_t kMost = 4096;
  const std::size_t count = workload.query_count();
  std::vector<std::string> words;
  for (std::size_t query = 0; !batch && query < std::min(count, kMost); ++query) {
    words.push_back(line_of(Crashing{id, workload.query_text(query)}));
  }
  if (batch || count > kMost) words.push_back(line_of(Crashing{id, ""}));
  return words;
}

}  // namespace

WorkerCell::~WorkerCell() { set_last_words(nullptr); }

WorkerCell::WorkerCell(std::string id, const Selection& selection, Workload& workload,
                       CertifiedDigests& certified, WorkerPlace& place, const Peers& peers,
                       std::unique_ptr<machine::ThreadPlaces> thread_places)
    : id_(std::move(id)),
      query_count_(workload.query_count()),
      many_answers_(workload.many_answers()),
      repeats_(workload.repeats()),
      workload_(workload),
      ranks_(world()),
      peers_(peers),
      place_(place),
      thread_places_(std::move(thread_places)),
      certified_(certified) {
  context_.set_enter_thread([this](std::size_t index) { thread_places_->enter(index); });
  Settings resolved;
  const Instance& instance = find_instance(selection, workload, resolved);
  name_ = selection.family->canonical(resolved);
  leaves_part_ = selection.untimed() != kNothing;
  batch_ = instance.description.batch;
  needs_cuda_ = std::ranges::count(instance.description.needs, Need::cuda) > 0;
  is_program_ = !instance.description.program.empty();
  is_certified_ = instance.description.unchecked.empty();
  times_itself_ = instance.description.times_itself;
  variant_ = instance.bind(workload, resolved);
  last_words_ = words_of(id_, workload, batch_);
}

void WorkerCell::prepare(measure::Clock& clock) {
  set_last_words(nullptr);
  place_.take_all();
  const std::int64_t begin = clock.now_ns();
  variant_->prepare(context_);
  prepare_ns_ = agreed_ns(clock.now_ns() - begin);
  place_.take_own();
}

void WorkerCell::make_ready(std::size_t step) {
  switch (start_) {
    case measure::Start::as_left:
      break;
    case measure::Start::hot:
      run(step);
      break;
    case measure::Start::cold:
      if (needs_cuda_) machine::flush_cuda_caches();
      flush_->run();
      break;
    case measure::Start::idle:
      std::this_thread::sleep_for(std::chrono::milliseconds(measure::kIdleMilliseconds));
      break;
  }
}

void WorkerCell::approach(std::size_t step) {
  make_ready(step);
  if (peers_.at_query) peers_.at_query(step + 1, batch_ ? "" : workload_.query_text(step));
  if (context_.program() && context_.program()->process != 0) {
    queue_watch_.begin(context_.program()->process);
  } else {
    queue_watch_.begin(thread_ids());
  }
  if (ranks_.size() > 1) ranks_.barrier();
}

std::int64_t WorkerCell::agreed_ns(std::int64_t own_ns) {
  if (context_.program() && context_.program()->queued_ns) {
    queue_watch_.end(own_ns, *context_.program()->queued_ns);
  } else {
    queue_watch_.end(own_ns);
  }
  // A program that reported no time for this query has 0.
  const std::int64_t said_ns = context_.program() ? context_.program()->wall_ns : 0;
  if (said_ns > 0 && times_itself_) bounds_ns_.push_back(static_cast<double>(own_ns));
  return longest_ns(ranks_, said_ns > 0 ? said_ns : own_ns);
}

void WorkerCell::run(std::size_t step, RunContext& context, std::uint64_t times) {
  // One store within the time, the same for every variant.
  set_last_words(&last_words_[std::min(step, last_words_.size() - 1)]);
  const std::size_t first = batch_ ? 0 : step;
  const std::size_t count = batch_ ? query_count_ : 1;
  if (times == 1) {
    variant_->run(first, count, context);
  } else {
    variant_->run_times(times, first, count, context);
  }
}

void WorkerCell::choose_iterations(measure::Clock& clock) {
  // Two readings of the clock, and two of the CPU time, take at most half a microsecond.
  constexpr std::int64_t kEnoughNs = 500'000;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
  if (!repeats_ || ranks_.size() > 1 || is_program_) return;
  // In a row of runs, all but the first are hot.
  if (start_ == measure::Start::cold || start_ == measure::Start::idle) return;
  std::vector<std::uint64_t> chosen;
  for (std::size_t step = 0; step < step_count(); ++step) {
    std::uint64_t times = 1;
    const auto takes_enough = [&] {
      const std::int64_t begin = clock.now_ns();
      run(step, context_, times);
      return clock.now_ns() - begin >= kEnoughNs;
    };
    // Asked twice, because a row that was interrupted takes long, too.
    while (times < kMost && !(takes_enough() && takes_enough())) times *= 2;
    chosen.push_back(times);
  }
  iterations_ = std::move(chosen);
}

bool WorkerCell::check(std::size_t step) {
  for_queries(step, [&](std::size_t query) { check_query(query); });
  last_step_ = step;
  return !wrong();
}

void WorkerCell::check_query(std::size_t query) {
  if (!is_certified_) return;
  if (certified_[query].empty()) {
    certify(query);
    return;
  }
  const auto digest = find_digest(query);
  ++validation_.digest_count;
  if (!digest) return;
  if (!is_certified(query, *digest)) {
    many_answers_ ? certify(query) : explain(query);
  } else {
    keep_facts(query);
  }
}

void WorkerCell::validate(measure::Clock& clock, bool full) {
  std::int64_t running = 0;
  std::vector<double> extract_ns;
  std::uint64_t answer_bytes = 0;
  // Ranks wait for each other in extract(), and of a program extract() reads the answer's file.
  const bool is_ours = ranks_.size() == 1 && !is_program_;
  for (std::size_t step = 0; step < step_count() && !wrong(); ++step) {
    approach(step);
    const std::int64_t run_begin = clock.now_ns();
    {
      const PoisonedHeap poisoned;
      run(step);
    }
    running += agreed_ns(clock.now_ns() - run_begin);
    for_queries(step, [&](std::size_t query) {
      double taken = extract(query, clock);
      answer_bytes = std::max(answer_bytes, variant_->answer_bytes());
      full ? certify(query) : check_query(query);
      // The very first extract() also pays the page faults of its memory and its code.
      if (is_ours && extract_ns.empty() && !wrong()) taken = extract(query, clock);
      extract_ns.push_back(taken);
    });
    last_step_ = step;
    const bool is_long =
        static_cast<double>(running) * 1e-9 > kLongPassSeconds && step + 1 >= kWarmupQueries;
    if (is_long) break;
  }
  if (!extract_ns.empty() && !wrong() && is_ours) {
    extraction_ = extraction_of(leaves_part_, extract_ns, answer_bytes, needs_cuda_, clock);
  }
}

void WorkerCell::certify_last() {
  if (wrong() || !last_step_) return;
  for_queries(*last_step_, [&](std::size_t query) {
    if (query + 1 == query_count_ || !batch_) certify(query);
  });
}

CellReplicate WorkerCell::replicate() const {
  CellReplicate replicate;
  replicate.id = id_;
  replicate.variant = name_;
  replicate.wrong = wrong();
  replicate.validation = validation_;
  replicate.validation.detail = fault_;
  replicate.prepare_ns = prepare_ns_;
  replicate.accounted = accounted_by_ranks(ranks_, context_);
  for (const auto& [index, thread] : thread_places_->threads()) {
    replicate.threads.push_back({index, thread.resolved, thread.observed});
  }
  replicate.answers = answers_;
  replicate.extraction = extraction_;
  if (!bounds_ns_.empty()) replicate.bound_ns = measure::median(bounds_ns_);
  return replicate;
}

std::span<const pid_t> WorkerCell::thread_ids() {
  if (thread_ids_.size() == thread_count()) return thread_ids_;
  thread_ids_ = {gettid()};
  for (const auto& [index, thread] : thread_places_->threads()) thread_ids_.push_back(thread.id);
  return thread_ids_;
}

bool WorkerCell::is_certified(std::size_t query, std::uint64_t digest) const {
  return std::ranges::count(certified_[query], digest) > 0;
}

std::optional<std::string> WorkerCell::find_fault(std::size_t query) {
  place_.take_all();
  auto fault = variant_->certify(query);
  if (variant_->certified_on_gpu()) ++validation_.gpu_certificate_count;
  place_.take_own();
  if (ranks_.size() == 1) return fault;
  if (fault && fault->empty()) fault = "the certificate refuses it";
  std::string agreed = agreed_text(ranks_, fault.value_or(""));
  if (agreed.empty()) return std::nullopt;
  return agreed;
}

double WorkerCell::extract(std::size_t query, measure::Clock& clock) {
  place_.take_all();
  variant_->poison();
  const double taken = working_ns(clock, needs_cuda_, [&] { variant_->extract(query); });
  place_.take_own();
  return taken;
}

std::optional<std::uint64_t> WorkerCell::find_digest(std::size_t query) {
  place_.take_all();
  const std::uint64_t digest = variant_->digest(query);
  place_.take_own();
  if (ranks_.size() == 1) return digest;
  std::array<std::uint64_t, 2> extremes{digest, ~digest};
  ranks_.all_reduce(extremes, Reduction::largest);
  if (extremes[0] == ~extremes[1]) return digest;
  fault_ = "query " + std::to_string(query + 1) + ": the ranks' digests of its answer differ";
  return std::nullopt;
}

void WorkerCell::keep_facts(std::size_t query) {
  if (answers_.contains(query)) return;
  for (const auto& [name, value] : variant_->answer_facts(query)) {
    answers_[query][name] = fact_json(value);
  }
  const Work work = variant_->work(query);
  if (work.bytes > 0) answers_[query][kWorkBytes] = work.bytes;
  if (work.operations > 0) answers_[query][kWorkOperations] = work.operations;
  if (work.items > 0) answers_[query][kWorkItems] = work.items;
}

void WorkerCell::certify(std::size_t query) {
  if (!is_certified_) {
    if (const auto fault = variant_->certify(query)) {
      fault_ = "query " + std::to_string(query + 1) + ": " + *fault;
    }
    return;
  }
  ++validation_.certificate_count;
  if (auto fault = find_fault(query)) {
    fault_ = "query " + std::to_string(query + 1) + ": " + *fault;
    return;
  }
  keep_facts(query);
  const auto digest = find_digest(query);
  if (!digest) return;
  variant_->poison();
  const auto again = find_digest(query);
  if (!again) return;
  if (*again != *digest) {
    fault_ = "query " + std::to_string(query + 1) + ": a second extract() gives another answer";
    return;
  }
  if (is_certified(query, *digest)) return;
  if (certified_[query].empty() || many_answers_) {
    certified_[query].push_back(*digest);
  } else {
    fault_ = "query " + std::to_string(query + 1) +
             ": passes its certificate, but differs from an answer that passed before";
  }
}

void WorkerCell::explain(std::size_t query) {
  ++validation_.certificate_count;
  const auto fault = find_fault(query);
  fault_ = "query " + std::to_string(query + 1) + ": " +
           fault.value_or("the answer differs from a certified one");
}

}  // namespace bellmark::run
