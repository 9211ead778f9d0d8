#include "algorithms/testing/coverage.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark::testing {
namespace {

/// The reason why this instance counts as not checked; "" when it has answered a sample rightly.
std::string why_unchecked(const Family& family, const Instance& instance,
                          std::span<const Sample> samples) {
  std::string refusal = "no input meets its needs";
  for (const Sample& sample : samples) {
    Workload& workload = *sample.workload;
    if (workload.query_count() == 0) continue;
    try {
      const auto settings = resolve(family, instance, workload);
      if (!settings) continue;
      const std::string fault = first_fault(instance, *settings, workload, sample.expected);
      return fault.empty() ? "" : fault + ", on " + sample.name;
    } catch (const UnmetError& error) {
      refusal = error.what();
    }
  }
  return "not checked on any of " + std::to_string(samples.size()) + " inputs: " + refusal;
}

/// `settings` with each value of the key kUntimed, or alone where the instance lacks it.
std::vector<Settings> with_each_untimed(const Instance& instance, const Settings& settings) {
  std::vector<Settings> all = {settings};
  for (const Key& key : instance.description.keys) {
    if (key.name != kUntimed) continue;
    all.assign(key.choices.size(), settings);
    for (std::size_t i = 0; i < all.size(); ++i) all[i].set(kUntimed, key.choices[i]);
  }
  return all;
}

/// Like first_fault(), for these very settings.
std::string fault_with(const Instance& instance, const Settings& settings, Workload& workload,
                       const std::vector<std::uint64_t>& expected) {
  RunContext context;
  const auto variant = instance.bind(workload, settings);
  variant->prepare(context);
  const std::size_t step = instance.description.batch ? workload.query_count() : 1;
  for (std::size_t first = 0; first < workload.query_count(); first += step) {
    variant->run(first, step, context);
    for (std::size_t query = first; query < first + step; ++query) {
      const std::string where = settings.text() + ", " + workload.query_text(query) + ": ";
      if (const auto fault = variant->certify(query)) return where + *fault;
      const std::uint64_t digest = variant->digest(query);
      variant->poison();
      if (variant->digest(query) != digest) return where + "extract() differs when asked again";
      if (expected.empty()) continue;
      if (digest != expected[query]) return where + "differs from Bellman-Ford";
    }
  }
  return {};
}

}  // namespace

Settings settings_of(const Family& family, const Instance& instance) {
  Settings settings;
  for (const Key& key : family.description().keys) {
    if (instance.description.instance.has(key.name)) {
      settings.set(key.name, instance.description.instance.get(key.name));
    } else if (key.when == Key::When::run_time) {
      settings.set(key.name, key.default_value);
    }
  }
  return settings;
}

std::string name_of(const Family& family, const Instance& instance) {
  return family.name + ":" + instance.description.instance.text();
}

std::optional<Settings> resolve(const Family& family, const Instance& instance,
                                const Workload& workload) {
  for (const Need need : instance.description.needs) {
    if (!workload.unmet(need).empty()) return std::nullopt;
  }
  try {
    Settings resolved = instance.resolve(settings_of(family, instance), workload);
    for (const auto& [key, value] : instance.description.instance.entries()) {
      EXPECT_EQ(resolved.get(key), value) << family.name;
    }
    return resolved;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::string first_fault(const Instance& instance, const Settings& settings, Workload& workload,
                        const std::vector<std::uint64_t>& expected) {
  for (const Settings& each : with_each_untimed(instance, settings)) {
    std::string fault = fault_with(instance, each, workload, expected);
    if (!fault.empty()) return fault;
  }
  return {};
}

std::vector<std::string> unchecked(const Family& family, std::span<const Sample> samples,
                                   std::span<const Exempt> exempt, const Wanted& wanted) {
  std::vector<std::string> lines;
  for (const Instance& instance : family.instances) {
    if (!wanted(instance)) continue;
    const std::string name = name_of(family, instance);
    const bool is_exempt = std::ranges::any_of(
        exempt, [&](const Exempt& one) { return glob_match(std::string(one.pattern), name); });
    if (is_exempt) continue;
    const std::string why = why_unchecked(family, instance, samples);
    if (!why.empty()) lines.push_back(name + ": " + why);
  }
  return lines;
}

}  // namespace bellmark::testing
