// Says what on this machine disturbs a measurement, why, and what to do about it.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/files.hpp"
#include "harness/machine/gpu.hpp"
#include "harness/machine/topology.hpp"

namespace bellmark::machine {

enum class State { ok, warning, not_available };

/// `ok`, `warning` or `not available`.
std::string_view to_string(State state);

struct Finding {
  std::string name;
  State state = State::not_available;
  std::string observed;  ///< what was seen, or why it can't be
  std::string why;       ///< how it disturbs a measurement
  std::string remedy;    ///< what to do
};

/// `name`, `state`, `observed`, `why`, `remedy`.
nlohmann::json to_json(const Finding& finding);

struct DoctorOptions {
  FileRoot root;                       ///< where /proc and /sys are
  std::filesystem::path folder = ".";  ///< results go here; its free space is checked
  std::function<void()> wait;          ///< between two looks at what runs; 200 ms when empty
  const Gpus* gpus = nullptr;          ///< this machine's when null
  std::function<std::string()> host_name_fault = {};  ///< this machine's when empty
};

/// One finding per check, always the same checks in the same order. Takes about a quarter of a
/// second, and up to two more where the host's name can't be looked up.
std::vector<Finding> examine(const Topology& topology, const DoctorOptions& options = {});

}  // namespace bellmark::machine
