// Reading graphs: both forms give the graph back, the certificate finds differences, and the files
// leave nothing behind.
#include "algorithms/problems/read_graph/problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "algorithms/contract/registry.hpp"
#include "algorithms/testing/zoo.hpp"

namespace bellmark {
namespace {

std::size_t leftover_count() {
  std::size_t count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::temp_directory_path())) {
    count += entry.path().filename().string().starts_with("bellmark-graph-") ? 1 : 0;
  }
  return count;
}

TEST(ReadGraph, BothFormsGiveTheGraphBack) {
  const std::size_t before = leftover_count();
  for (const char* reference : {"grid:rows=20,columns=30,keep=0.8,lengths=uniform:0..1000,seed=1",
                                "random:n=300,m=900,lengths=uniform:-5..50,seed=2",
                                "kronecker:scale=6,edge-factor=4,lengths=unit,seed=1"}) {
    const auto workload =
        Registry::global().open_workload("read-graph", reference, {.kind = "default", .count = 2});
    EXPECT_LE(leftover_count(), before) << "the files have no names";
    const auto selections = Registry::global().select("read-graph/*");
    ASSERT_EQ(selections.size(), 2u);
    for (const Selection& selection : selections) {
      Settings resolved;
      const auto variant = find_instance(selection, *workload, resolved).bind(*workload, resolved);
      RunContext context;
      variant->prepare(context);
      for (std::size_t query = 0; query < 2; ++query) {
        variant->run(query, 1, context);
        EXPECT_EQ(variant->certify(query), std::nullopt) << reference << " " << selection.name();
      }
    }
  }
}

TEST(ReadGraph, CertificateNamesWhatDiffers) {
  const ReadGraph::Input input = ReadGraph::open("grid:rows=3,columns=3,seed=1");
  const Graph& graph = input.graph;
  const ReadGraph::Certificate certificate(input);
  ReadGraph::Answer right{{graph.row_offsets().begin(), graph.row_offsets().end()},
                          {graph.heads().begin(), graph.heads().end()},
                          {graph.lengths().begin(), graph.lengths().end()}};
  EXPECT_EQ(certificate.check({}, right), std::nullopt);
  const auto fault = [&](auto spoil) {
    ReadGraph::Answer wrong = right;
    spoil(wrong);
    EXPECT_NE(ReadGraph::digest(wrong), ReadGraph::digest(right));
    return certificate.check({}, wrong).value_or("accepted");
  };
  EXPECT_NE(fault([](auto& wrong) { wrong.lengths[4] += 1; }).find("arc 5"), std::string::npos);
  EXPECT_NE(fault([](auto& wrong) { wrong.heads[0] = 8; }).find("to vertex 9"), std::string::npos);
  EXPECT_NE(fault([](auto& wrong) { wrong.row_offsets[1] += 1; }).find("rows"), std::string::npos);
  EXPECT_NE(fault([](auto& wrong) { wrong.heads.pop_back(); }).find("heads"), std::string::npos);
}

TEST(ReadGraph, SaysHowLargeTheFilesAre) {
  const ReadGraph::Input input = ReadGraph::open("grid:rows=3,columns=3,seed=1");
  const Facts facts = ReadGraph::facts(input);
  for (const char* name : {"digest", "text_bytes", "binary_bytes"}) {
    EXPECT_TRUE(std::ranges::any_of(facts, [&](const auto& fact) { return fact.first == name; }))
        << name;
  }
}

}  // namespace
}  // namespace bellmark
