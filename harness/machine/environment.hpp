// The facts about this machine and its settings that bear on a measurement.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/machine/files.hpp"
#include "harness/machine/gpu.hpp"

namespace bellmark::machine {

/// The facts of environment():
///   - `host_name`, `os_name`, `kernel_release`;
///   - `cpu_model`, `cpu_mhz` (of the first CPU, at the call), `cpu_governor`,
///     `cpu_frequency_driver`, `turbo_enabled`, `smt_enabled`, `isolated_cpus` (CPU list);
///   - `aslr_enabled` (for this process), `transparent_huge_pages`, `load_average` (1, 5, 15
///     minutes);
///   - `memory_total_bytes`, `swap_total_bytes`, `swap_used_bytes`, `page_size_bytes`;
///   - `is_virtualised`, `perf_event_paranoid`, `cpu_pmus` (hardware counter units, may be empty),
///     `clock_source`;
///   - `gpus` (Gpus::facts of each).
/// Facts that can't be read are null and are listed in `not_available` [{key, reason}].
nlohmann::json environment(const FileRoot& root = FileRoot(),
                           const Gpus& gpus = Gpus::this_machine());

/// The kernel's present host name; `unknown` where it tells none.
std::string host_name();

/// `cpu_model` alone; "" where it is unknown.
std::string cpu_model(const FileRoot& root = FileRoot());

/// Why the name can't be looked up, or not soon; "" when it can. Takes two seconds at most.
std::string host_name_fault();

/// An identifier of the kernel since its start. It tells apart machines of one name. "" where the
/// kernel has none.
std::string boot_id(const FileRoot& root = FileRoot());

/// Names of the CPU's hardware counter units (`cpu`, `armv8_pmuv3_0`); none on most virtual
/// machines.
std::vector<std::string> cpu_pmus(const FileRoot& root = FileRoot());

}  // namespace bellmark::machine
