// Files of graphs for programs: what our readers make of them is the graph that they were made of.
#include "harness/external/formats.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/test_folder.hpp"
#include "graph/open.hpp"

namespace bellmark::external {
namespace {

TEST(Formats, EachIsTheSameGraph) {
  const TestFolder folder;
  setenv("BELLMARK_CACHE", (folder / "cache").c_str(), 1);
  const Graph graph = open_graph("grid:rows=4,columns=5,lengths=uniform:1..9,seed=1");
  for (const std::string& format : known_formats()) {
    const std::filesystem::path file = cached_file(graph, format);
    const Graph read = open_graph(file.string());
    EXPECT_EQ(read.content_digest() == graph.content_digest(), format != "el") << format;
    EXPECT_EQ(read.vertex_count(), graph.vertex_count()) << format;
    EXPECT_EQ(read.arc_count(), graph.arc_count()) << format;
    // Kept, not written anew.
    const auto written = std::filesystem::last_write_time(file);
    EXPECT_EQ(cached_file(graph, format), file);
    EXPECT_EQ(std::filesystem::last_write_time(file), written);
  }
  unsetenv("BELLMARK_CACHE");
}

}  // namespace
}  // namespace bellmark::external
