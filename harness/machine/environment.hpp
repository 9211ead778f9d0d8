// What this machine is and how it is set up, as far as it bears on a measurement.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/machine/files.hpp"
#include "harness/machine/gpu.hpp"

namespace bellmark::machine {

/// `host_name`, `os_name`, `kernel_release`, `cpu_model`, `cpu_mhz` (first CPU, now),
/// `cpu_governor`, `cpu_frequency_driver`, `turbo_enabled`, `smt_enabled`, `isolated_cpus`
/// (CPU list), `aslr_enabled` (for this process), `transparent_huge_pages`, `load_average`
/// (1, 5, 15 minutes), `memory_total_bytes`, `swap_total_bytes`, `swap_used_bytes`,
/// `is_virtualised`, `perf_event_paranoid`, `cpu_pmus` (hardware counter units, may be empty),
/// `clock_source`, `page_size_bytes`, `gpus` (Gpus::facts of each). What can't be read is null and
/// stands in `not_available` [{key, reason}].
nlohmann::json environment(const FileRoot& root = FileRoot(),
                           const Gpus& gpus = Gpus::this_machine());

/// As the kernel tells it now; `unknown` where it doesn't.
std::string host_name();

/// `cpu_model` alone; "" where it is not told.
std::string cpu_model(const FileRoot& root = FileRoot());

/// Why the name can't be looked up, or not soon; "" when it can. Takes two seconds at most.
std::string host_name_fault();

/// Of the kernel since it was started, so of one machine among several of one name; "" where none
/// is told.
std::string boot_id(const FileRoot& root = FileRoot());

/// Names of the CPU's hardware counter units (`cpu`, `armv8_pmuv3_0`); none on most virtual
/// machines.
std::vector<std::string> cpu_pmus(const FileRoot& root = FileRoot());

}  // namespace bellmark::machine
