// Shortest paths of a workload against the certificate and against an oracle.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/testing/bound_variant.hpp"
#include "algorithms/testing/zoo.hpp"

namespace bellmark::testing {

/// Prepares `variant`, the name of a single one, and runs every query. O(n m) a query.
inline void expect_right_distances(const std::string& variant, detail::WorkloadOf<Sssp>& workload) {
  ASSERT_EQ(Registry::global().select(variant).size(), 1U);
  const auto bound = bound_variant(variant, workload);
  RunContext context;
  bound->prepare(context);
  for (std::size_t query = 0; query < workload.query_count(); ++query) {
    bound->run(query, 1, context);
    ASSERT_EQ(bound->certify(query), std::nullopt) << variant << ", query " << query;
    const Vertex source = workload.queries[query].source;
    ASSERT_EQ(bound->digest(query), Sssp::digest({oracle_distances(workload.input, source), {}}))
        << variant << ", from " << source;
  }
}

}  // namespace bellmark::testing
