// What is known of a workload and its cells before anything is measured.
#pragma once

#include "harness/run/protocol/messages.hpp"

namespace bellmark::run {

/// Opens the request's workload and checks it whole (a mapped file's digest too). Of each cell it
/// finds the resolved name, and why it can't be measured. Ranks run it together and agree; only a
/// problem that is distributed can be theirs. Throws InputError when the workload can't be opened.
Probed probe_workload(const Request& request);

}  // namespace bellmark::run
