#include "harness/run/worker/visits.hpp"

#include <malloc.h>

#include <algorithm>
#include <utility>

#include "algorithms/parallel/communicator.hpp"

namespace bellmark::run {
namespace {

struct Visit {
  double run_ns;
  std::int64_t grown_bytes;
  std::optional<std::int64_t> grown_gpu_bytes;
};

/// Of the ranks, the growth of the one that has grown most.
std::int64_t most_grown(std::int64_t own) {
  if (world().size() == 1) return own;
  const auto grown = static_cast<std::uint64_t>(std::max<std::int64_t>(0, own));
  return static_cast<std::int64_t>(world().all_reduce(grown, Reduction::largest));
}

Visit visit(WorkerCell& cell, std::size_t query, measure::Clock& clock,
            const MemoryCounts& counts) {
  const auto gpu_bytes = [&] { return cell.needs_cuda() ? counts.gpu() : std::nullopt; };
  cell.approach(query);
  const std::optional<std::uint64_t> on_gpu = gpu_bytes();
  const auto resident = static_cast<std::int64_t>(counts.resident());
  const std::int64_t begin = clock.now_ns();
  cell.run(query);
  const std::int64_t own_ns = std::max<std::int64_t>(1, clock.now_ns() - begin);
  const auto grown = static_cast<std::int64_t>(counts.resident()) - resident;
  std::optional<std::int64_t> grown_gpu;
  if (const auto now = gpu_bytes(); now && on_gpu) {
    grown_gpu = static_cast<std::int64_t>(*now) - static_cast<std::int64_t>(*on_gpu);
  }
  const auto agreed = static_cast<double>(cell.agreed_ns(own_ns));
  cell.check(query);
  return {agreed, grown, grown_gpu};
}

/// Adds the known counts.
void add(std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& own) {
  if (own) sum = sum.value_or(0) + *own;
}

/// Calls visit(cell's index, query) for all queries of the cells that are right so far. The order
/// of cells turns round from query to query, because each cell leaves its caches to the next.
template <class F>
void for_visits(const Cells& cells, const Emit& emit, F&& visit) {
  std::size_t query_count = 0;
  for (const auto& cell : cells) query_count = std::max(query_count, cell->step_count());
  for (std::size_t query = 0; query < query_count; ++query) {
    emit(CellEntered{"", to_string(Pass::visits)});
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::size_t index = query % 2 == 0 ? i : cells.size() - 1 - i;
      if (!cells[index]->wrong()) visit(index, query);
    }
  }
}

}  // namespace

std::vector<CellReplicate> measure_visits(const Cells& cells, measure::Clock& clock,
                                          const Emit& emit, const MemoryCounts& counts) {
  std::vector<VisitsReading> readings(cells.size());
  for_visits(cells, emit, [&](std::size_t i, std::size_t query) {
    readings[i].first_ns.push_back(visit(*cells[i], query, clock, counts).run_ns);
  });
  // Memory that certificates freed would hide the memory that variants take.
  malloc_trim(0);
  for_visits(cells, emit, [&](std::size_t i, std::size_t query) {
    const Visit again = visit(*cells[i], query, clock, counts);
    readings[i].later_ns.push_back(again.run_ns);
    readings[i].grown_bytes += again.grown_bytes;
    add(readings[i].grown_gpu_bytes, again.grown_gpu_bytes);
  });
  std::vector<CellReplicate> replicates;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    CellReplicate& replicate = replicates.emplace_back(cells[i]->replicate());
    // The result does not know these queries.
    replicate.answers.clear();
    if (replicate.wrong) {
      replicate.validation.detail->insert(0, "in the pass of visits, ");
    } else {
      readings[i].between_count = cells[i]->step_count() - 1;
      readings[i].grown_bytes = most_grown(readings[i].grown_bytes);
      if (readings[i].grown_gpu_bytes) {
        readings[i].grown_gpu_bytes = most_grown(*readings[i].grown_gpu_bytes);
      }
      replicate.visits = std::move(readings[i]);
    }
  }
  return replicates;
}

void add_visits(std::vector<CellReplicate>& sum, std::vector<CellReplicate> round) {
  if (sum.empty()) {
    sum = std::move(round);
    return;
  }
  for (std::size_t i = 0; i < sum.size(); ++i) {
    CellReplicate before = std::move(sum[i]);
    CellReplicate& own = sum[i] = std::move(round[i]);
    own.validation.certificate_count += before.validation.certificate_count;
    own.validation.gpu_certificate_count += before.validation.gpu_certificate_count;
    own.validation.digest_count += before.validation.digest_count;
    if (before.wrong) {
      own.wrong = true;
      own.validation.detail = before.validation.detail;
    }
    if (own.wrong) {
      own.visits.reset();
      continue;
    }
    VisitsReading& visits = *own.visits;
    visits.first_ns.insert(visits.first_ns.begin(), before.visits->first_ns.begin(),
                           before.visits->first_ns.end());
    visits.later_ns.insert(visits.later_ns.begin(), before.visits->later_ns.begin(),
                           before.visits->later_ns.end());
    visits.grown_bytes += before.visits->grown_bytes;
    add(visits.grown_gpu_bytes, before.visits->grown_gpu_bytes);
  }
}

}  // namespace bellmark::run
