// Whether an answer of every built instance has been checked. An instance that refuses every input
// would otherwise pass all tests.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/contract/registry.hpp"

namespace bellmark::testing {

/// Every key of an instance: those that it fixes, and the defaults of run-time keys.
Settings settings_of(const Family& family, const Instance& instance);

/// `problem/family:key=value,...` with the keys that the instance fixes.
std::string name_of(const Family& family, const Instance& instance);

/// The instance's settings for this workload, or nothing when it can't answer here. A refusal must
/// be one that a person can act on; the keys that the type fixes stay.
std::optional<Settings> resolve(const Family& family, const Instance& instance,
                                const Workload& workload);

/// First fault of one instance on one workload, "" when all answers are right, whatever is left
/// outside the time (kUntimed). `expected` has the digests of the right answers, by query; it is
/// empty where several answers are right.
std::string first_fault(const Instance& instance, const Settings& settings, Workload& workload,
                        const std::vector<std::uint64_t>& expected);

/// An input to check instances on.
struct Sample {
  std::string name;
  std::shared_ptr<Workload> workload;
  std::vector<std::uint64_t> expected;  ///< first_fault()'s
};

/// An instance that no sample can check, by a glob of its name.
struct Exempt {
  std::string_view pattern;
  std::string_view reason;
};

/// The instances that are asked.
using Wanted = std::function<bool(const Instance&)>;

/// One line for each wanted instance of `family` that answers no sample, or answers one wrongly. An
/// instance is asked until it has answered one sample. Those that `exempt` names are not asked.
std::vector<std::string> unchecked(const Family& family, std::span<const Sample> samples,
                                   std::span<const Exempt> exempt, const Wanted& wanted);

}  // namespace bellmark::testing
