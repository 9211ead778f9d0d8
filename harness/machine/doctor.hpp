// Finds settings and load on this machine that disturb a measurement, with causes and remedies.
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
  std::string observed;  ///< the observation, or why there is none
  std::string why;       ///< how it disturbs a measurement
  std::string remedy;    ///< the action to take
};

/// `name`, `state`, `observed`, `why`, `remedy`.
nlohmann::json to_json(const Finding& finding);

struct DoctorOptions {
  FileRoot root;                       ///< where /proc and /sys are
  std::filesystem::path folder = ".";  ///< results go here; its free space is checked
  std::function<void()> wait;          ///< between two looks at processes; 200 ms when empty
  const Gpus* gpus = nullptr;          ///< this machine's when null
  std::function<std::string()> host_name_fault = {};  ///< this machine's when empty
};

/// One finding for each check, always the same checks in the same order. Takes about a quarter of a
/// second, and up to two more if the host's name can't be looked up.
std::vector<Finding> examine(const Topology& topology, const DoctorOptions& options = {});

}  // namespace bellmark::machine
