// The machine of a result, in words.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bellmark::report {

using Json = nlohmann::ordered_json;

/// The processor and the GPUs: `AMD EPYC and NVIDIA H200`.
std::string hardware_of(const Json& result);

/// The name that tells machines apart: `Intel(R) Xeon(R) Processor, 16 cores, 2 x NVIDIA H200`. A
/// host's name does not, because virtual machines share one.
std::string machine_name(const Json& result);

}  // namespace bellmark::report
