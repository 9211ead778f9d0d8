#include "harness/measure/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bellmark::measure {
namespace {

constexpr std::size_t kPassesForHalfWidth = 6;

std::vector<double> pass_times(const StepTimes& times) {
  std::vector<double> sums;
  for (const auto& pass : times) sums.push_back(std::accumulate(pass.begin(), pass.end(), 0.0));
  return sums;
}

bool narrow_and_steady(const StopRule& rule, const std::vector<double>& passes) {
  if (passes.size() < kPassesForHalfWidth) return false;
  const double center = median(passes);
  const auto interval = median_interval(passes);
  if (!interval || interval->high - interval->low > 2 * rule.half_width * center) return false;
  const std::span<const double> all(passes);
  const double first = median(all.first(all.size() / 2));
  const double second = median(all.last(all.size() / 2));
  return std::abs(first - second) <= rule.half_width * center;
}

// splitmix64: a shuffle must be the same on every platform, which std::shuffle doesn't promise.
std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

void shuffle(std::vector<std::size_t>& order, std::uint64_t& state) {
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[next_random(state) % i]);
  }
}

}  // namespace

std::string stop_reason(const StopRule& rule, const Samples& samples, double spent_seconds) {
  if (samples.step_ns.empty()) return {};
  if (samples.step_ns.size() >= rule.sample_count) return "samples";
  if (narrow_and_steady(rule, pass_times(samples.step_ns))) return "half-width";
  // Does not begin a pass that would end after the limit.
  const double passes = static_cast<double>(samples.step_ns.size());
  if (spent_seconds * (passes + 1) / passes > rule.seconds) return "seconds";
  return {};
}

std::vector<Samples> sample(std::span<Subject* const> subjects, const StopRule& rule,
                            std::uint64_t seed, Clock& clock,
                            const std::function<void(std::span<const Samples>)>& progress) {
  std::vector<Samples> samples(subjects.size());
  std::vector<std::size_t> active(subjects.size());
  std::iota(active.begin(), active.end(), std::size_t{0});
  std::uint64_t random = seed;

  while (!active.empty()) {
    std::size_t step_count = 0;
    for (const std::size_t i : active) {
      samples[i].step_ns.emplace_back(subjects[i]->step_count());
      samples[i].pass_own_ns.push_back(0);
      samples[i].pass_cpu_ns.push_back(0);
      step_count = std::max(step_count, subjects[i]->step_count());
    }
    std::vector<std::size_t> order = active;
    for (std::size_t step = 0; step < step_count; ++step) {
      if (step % 2 == 0) {
        shuffle(order, random);
      } else {
        std::ranges::reverse(order);
      }
      for (const std::size_t i : order) {
        Samples& own = samples[i];
        if (step >= subjects[i]->step_count() || !own.stop_reason.empty()) continue;
        subjects[i]->approach(step);
        const std::int64_t cpu_begin = clock.cpu_ns();
        const std::int64_t begin = clock.now_ns();
        subjects[i]->run(step);
        const std::int64_t end = clock.now_ns();
        const std::int64_t cpu_end = clock.cpu_ns();
        // A clock that did not advance still means some time: ratios need a positive figure.
        const std::int64_t own_ns = std::max<std::int64_t>(1, end - begin);
        const auto iterations = static_cast<double>(subjects[i]->iterations(step));
        const auto agreed_ns = static_cast<double>(subjects[i]->agreed_ns(own_ns));
        own.spent_ns += agreed_ns;
        own.step_ns.back()[step] = agreed_ns / iterations;
        own.pass_own_ns.back() += static_cast<double>(own_ns) / iterations;
        own.pass_cpu_ns.back() +=
            static_cast<double>(cpu_end - cpu_begin + subjects[i]->other_cpu_ns()) / iterations;
        if (!subjects[i]->check(step)) own.stop_reason = "wrong answer";
      }
    }
    for (const std::size_t i : active) {
      Samples& own = samples[i];
      if (!own.stop_reason.empty()) continue;
      own.stop_reason = stop_reason(rule, own, own.spent_ns * 1e-9);
    }
    std::erase_if(active, [&](std::size_t i) { return !samples[i].stop_reason.empty(); });
    if (progress) progress(samples);
  }
  return samples;
}

}  // namespace bellmark::measure
