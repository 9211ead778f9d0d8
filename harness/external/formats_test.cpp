// Files of graphs for programs: our readers get the original graph back from them.
#include "harness/external/formats.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

#include "base/error.hpp"
#include "base/input.hpp"
#include "base/test_folder.hpp"
#include "graph/open.hpp"

namespace bellmark::external {
namespace {

TEST(Formats, EachIsTheSameGraph) {
  const TestFolder folder;
  setenv("BELLMARK_CACHE", (folder / "cache").c_str(), 1);
  const Graph graph = open_graph("grid:rows=4,columns=5,lengths=uniform:1..9,seed=1");
  for (const std::string format : {"gr", "gr.gz", "bmg", "el", "wel", "mtx"}) {
    const std::filesystem::path file = cached_file(graph, format);
    const Graph read = open_graph(file.string());
    EXPECT_EQ(read.content_digest() == graph.content_digest(), format != "el") << format;
    EXPECT_EQ(read.vertex_count(), graph.vertex_count()) << format;
    EXPECT_EQ(read.arc_count(), graph.arc_count()) << format;
    // The file is kept, not written again.
    const auto written = std::filesystem::last_write_time(file);
    EXPECT_EQ(cached_file(graph, format), file);
    EXPECT_EQ(std::filesystem::last_write_time(file), written);
  }
  unsetenv("BELLMARK_CACHE");
}

/// The numbers of a file, one after another.
class Numbers {
 public:
  explicit Numbers(const std::filesystem::path& file) : bytes_(read_whole(file)) {}

  template <class Number>
  std::vector<Number> next(std::size_t count) {
    std::vector<Number> numbers(count);
    std::memcpy(numbers.data(), bytes_.substr(at_, count * sizeof(Number)).data(),
                count * sizeof(Number));
    at_ += count * sizeof(Number);
    return numbers;
  }
  bool is_at_end() const { return at_ == bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

/// 0 -> 1 (5), 0 -> 2 (7), 2 -> 1 (9).
Graph three_arcs() {
  const std::vector<Arc> arcs = {{0, 1, 5}, {0, 2, 7}, {2, 1, 9}};
  return Graph::from_arcs(3, arcs);
}

TEST(Formats, SerializedDirectedGraphsHaveBothDirections) {
  const TestFolder folder;
  setenv("BELLMARK_CACHE", (folder / "cache").c_str(), 1);
  Numbers plain(cached_file(three_arcs(), "sg"));
  EXPECT_EQ(plain.next<char>(1), std::vector<char>{1});
  EXPECT_EQ(plain.next<std::int64_t>(2), (std::vector<std::int64_t>{3, 3}));
  EXPECT_EQ(plain.next<std::int64_t>(4), (std::vector<std::int64_t>{0, 2, 2, 3}));
  EXPECT_EQ(plain.next<std::int32_t>(3), (std::vector<std::int32_t>{1, 2, 1}));
  EXPECT_EQ(plain.next<std::int64_t>(4), (std::vector<std::int64_t>{0, 0, 2, 3}));
  EXPECT_EQ(plain.next<std::int32_t>(3), (std::vector<std::int32_t>{0, 2, 0}));
  EXPECT_TRUE(plain.is_at_end());
  Numbers weighted(cached_file(three_arcs(), "wsg"));
  weighted.next<char>(1);
  weighted.next<std::int64_t>(6);
  EXPECT_EQ(weighted.next<std::int32_t>(6), (std::vector<std::int32_t>{1, 5, 2, 7, 1, 9}));
  weighted.next<std::int64_t>(4);
  EXPECT_EQ(weighted.next<std::int32_t>(6), (std::vector<std::int32_t>{0, 5, 2, 9, 0, 7}));
  EXPECT_TRUE(weighted.is_at_end());
  unsetenv("BELLMARK_CACHE");
}

TEST(Formats, SerializedSymmetricGraphsHaveOneDirection) {
  const TestFolder folder;
  setenv("BELLMARK_CACHE", (folder / "cache").c_str(), 1);
  const std::vector<Arc> arcs = {{0, 1, 4}, {1, 0, 4}};
  Numbers read(cached_file(Graph::from_arcs(2, arcs), "wsg"));
  EXPECT_EQ(read.next<char>(1), std::vector<char>{0});
  EXPECT_EQ(read.next<std::int64_t>(5), (std::vector<std::int64_t>{2, 2, 0, 1, 2}));
  EXPECT_EQ(read.next<std::int32_t>(4), (std::vector<std::int32_t>{1, 4, 0, 4}));
  EXPECT_TRUE(read.is_at_end());
  const std::vector<Arc> negative = {{0, 1, -4}, {1, 0, 4}};
  EXPECT_THROW(cached_file(Graph::from_arcs(2, negative), "wsg"), InputError);
  unsetenv("BELLMARK_CACHE");
}

/// 0 -> 1 -> 0.
Graph two_without_lengths(const TestFolder& folder) {
  std::ofstream(folder / "two.el") << "0 1\n1 0\n";
  return open_graph((folder / "two.el").string());
}

TEST(Formats, GaloisHasRowEndsAndEvenHeads) {
  const TestFolder folder;
  setenv("BELLMARK_CACHE", (folder / "cache").c_str(), 1);
  Numbers read(cached_file(three_arcs(), "galois"));
  EXPECT_EQ(read.next<std::uint64_t>(4), (std::vector<std::uint64_t>{1, 4, 3, 3}));
  EXPECT_EQ(read.next<std::uint64_t>(3), (std::vector<std::uint64_t>{2, 2, 3}));
  EXPECT_EQ(read.next<std::uint32_t>(4), (std::vector<std::uint32_t>{1, 2, 1, 0}));
  EXPECT_EQ(read.next<std::uint32_t>(3), (std::vector<std::uint32_t>{5, 7, 9}));
  EXPECT_TRUE(read.is_at_end());
  Numbers plain(cached_file(two_without_lengths(folder), "galois"));
  EXPECT_EQ(plain.next<std::uint64_t>(6), (std::vector<std::uint64_t>{1, 0, 2, 2, 1, 2}));
  EXPECT_EQ(plain.next<std::uint32_t>(2), (std::vector<std::uint32_t>{1, 0}));
  EXPECT_TRUE(plain.is_at_end());
  const std::vector<Arc> negative = {{0, 1, -4}};
  EXPECT_THROW(cached_file(Graph::from_arcs(2, negative), "galois"), InputError);
  unsetenv("BELLMARK_CACHE");
}

TEST(Formats, AdjacencyListsAreNumbersOnLines) {
  const TestFolder folder;
  setenv("BELLMARK_CACHE", (folder / "cache").c_str(), 1);
  EXPECT_EQ(read_whole(cached_file(three_arcs(), "adj")),
            "WeightedAdjacencyGraph\n3\n3\n0\n2\n2\n1\n2\n1\n5\n7\n9\n");
  EXPECT_EQ(read_whole(cached_file(two_without_lengths(folder), "adj")),
            "AdjacencyGraph\n2\n2\n0\n1\n1\n0\n");
  unsetenv("BELLMARK_CACHE");
}

TEST(Formats, AFileOfAQueryNamesItsSource) {
  const TestFolder folder;
  write_query(three_arcs(), 2, folder / "query.sp");
  EXPECT_EQ(read_whole(folder / "query.sp"), "p sp 3 3\nn 3\na 1 2 5\na 1 3 7\na 3 2 9\n");
}

}  // namespace
}  // namespace bellmark::external
