// The answer that a program wrote, in the problem's form.
#pragma once

#include <filesystem>

#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "harness/external/program.hpp"

namespace bellmark::external {

/// Each throws AnswerFault on a file that is not a whole answer: missing, too short, with words in
/// place of numbers, or with vertices that the graph lacks.
Sssp::Answer read_sssp(const Program& program, const Graph& graph, const Sssp::Query& query,
                       const std::filesystem::path& file);
Bfs::Answer read_bfs(const Program& program, const Graph& graph, const Bfs::Query& query,
                     const std::filesystem::path& file);
P2p::Answer read_p2p(const Program& program, const Graph& graph, const P2p::Query& query,
                     const std::filesystem::path& file);

}  // namespace bellmark::external
