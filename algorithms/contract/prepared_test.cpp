// Prepared files: a saved file is loaded, and a file of anything else is refused with a sentence.
#include "algorithms/contract/prepared.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/automatic/automatic.hpp"
#include "algorithms/testing/bound_variant.hpp"
#include "base/error.hpp"
#include "base/test_folder.hpp"
#include "graph/generate.hpp"

namespace bellmark::prepared {
namespace {

const Identity kIdentity{"p2p/some-search:width=32", 3, std::string(32, 'a')};

/// No folder once the test is over, because the setting is the process's.
class PreparedFolder {
 public:
  PreparedFolder() { use_folder(made_folder(folder_ / "kept")); }
  PreparedFolder(const PreparedFolder&) = delete;
  PreparedFolder& operator=(const PreparedFolder&) = delete;
  ~PreparedFolder() { use_folder({}); }

  std::size_t file_count() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder()), {}));
  }

 private:
  TestFolder folder_;
};

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

std::string refusal(const std::filesystem::path& path, const Identity& identity) {
  try {
    Reader reader(path, identity);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

class PreparedFile : public ::testing::Test {
 protected:
  PreparedFile() {
    Writer writer;
    writer.add(numbers_);
    writer.add(none_);
    writer.add(letters_);
    writer.write(kIdentity, path_);
  }

  Kept<std::uint64_t> numbers_{std::vector<std::uint64_t>{1, 2, 3}};
  Kept<std::uint32_t> none_;
  Kept<char> letters_{std::vector<char>{'x', 'y'}};
  TestFolder folder_;
  std::filesystem::path path_ = folder_ / "file.prepared";
};

TEST_F(PreparedFile, ComesBackAsItWas) {
  Reader reader(path_, kIdentity);
  const auto numbers = reader.take<std::uint64_t>();
  EXPECT_EQ(std::vector(numbers.begin(), numbers.end()), (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_TRUE(reader.take<std::uint32_t>().empty());
  EXPECT_EQ(reader.take<char>()[1], 'y');
  EXPECT_THROW(reader.take<char>(), InputError);
}

TEST_F(PreparedFile, OfSomethingElseIsRefused) {
  Identity other = kIdentity;
  other.graph_digest[0] = 'b';
  EXPECT_NE(refusal(path_, other).find("was prepared for another graph"), std::string::npos);
  other = kIdentity;
  other.variant = "p2p/some-search:width=64";
  EXPECT_NE(refusal(path_, other).find("was not prepared by version 3 of p2p/some-search:width=64"),
            std::string::npos);
  other = kIdentity;
  other.content_version = 4;
  EXPECT_NE(refusal(path_, other).find("was not prepared by version 4"), std::string::npos);
  write_bytes(path_, "p sp 3 4\n");
  EXPECT_NE(refusal(path_, kIdentity).find("is no prepared file"), std::string::npos);
  EXPECT_NE(refusal(folder_ / "absent", kIdentity), "");
}

TEST_F(PreparedFile, DamagedInAnyByteIsRefused) {
  const std::string good = bytes_of(path_);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    write_bytes(path_, bad);
    EXPECT_NE(refusal(path_, kIdentity), "") << "byte " << i;
  }
  for (std::size_t size = 0; size < good.size(); ++size) {
    write_bytes(path_, good.substr(0, size));
    EXPECT_NE(refusal(path_, kIdentity), "") << size << " bytes";
  }
  write_bytes(path_, good + '\0');
  EXPECT_NE(refusal(path_, kIdentity), "");
}

std::vector<std::string> keepers() {
  return {"p2p/contraction-hierarchy",
          "p2p/contraction-hierarchy:distance=64",
          "p2p/customisable-hierarchy",
          "p2p/customisable-hierarchy:customisation=perfect",
          "p2p/alt",
          "p2p/alt:distance=64",
          "p2p/alt:active=2"};
}

void ask_all(const std::string& name, detail::WorkloadOf<P2p>& workload) {
  const auto variant = testing::bound_variant(name, workload);
  RunContext context;
  variant->prepare(context);
  for (std::size_t query = 0; query < workload.query_count(); ++query) {
    variant->run(query, 1, context);
    ASSERT_EQ(variant->certify(query), std::nullopt) << name << " " << query;
  }
}

TEST(Prepared, SearchesAnswerFromFilesAsWell) {
  const PreparedFolder folder;
  for (const char* formula : {"road:n=2000,seed=3", "random:n=300,m=900,lengths=uniform:0..9"}) {
    const Graph graph = make_graph(formula);
    detail::WorkloadOf<P2p> workload(
        graph, P2p::make_queries(graph, {.kind = "uniform-pairs", .count = 50, .seed = 3}));
    for (const std::string& name : keepers()) {
      ask_all(name, workload);
      const std::size_t count = folder.file_count();
      ask_all(name, workload);
      EXPECT_EQ(folder.file_count(), count) << "loaded, not saved again";
    }
  }
  // Both customisations share a file, so do queries with more and fewer landmarks. Each graph has
  // files of its own.
  EXPECT_EQ(folder.file_count(), 10U);
}

TEST(Prepared, AFileHasItsOwnCountOfLandmarks) {
  const PreparedFolder folder;
  const Graph graph = make_graph("road:n=2000,seed=3");
  detail::WorkloadOf<P2p> workload(graph, {{3, 99}, {99, 3}});
  ask_all("p2p/alt:landmarks=4", workload);
  const auto four = std::filesystem::directory_iterator(prepared::folder())->path();
  const std::string bytes = bytes_of(four);
  ask_all("p2p/alt:landmarks=5", workload);
  EXPECT_EQ(folder.file_count(), 2U);
  for (const auto& entry : std::filesystem::directory_iterator(prepared::folder())) {
    write_bytes(entry.path(), bytes);
  }
  ask_all("p2p/alt:landmarks=4", workload);
  EXPECT_THROW(ask_all("p2p/alt:landmarks=5", workload), InputError);
}

TEST(Prepared, OneEliminationServesAllLengths) {
  const PreparedFolder folder;
  for (const char* formula : {"grid:rows=20,columns=20,lengths=uniform:1..9,seed=1",
                              "grid:rows=20,columns=20,lengths=uniform:1..9,seed=2"}) {
    const Graph graph = make_graph(formula);
    detail::WorkloadOf<P2p> workload(
        graph, P2p::make_queries(graph, {.kind = "uniform-pairs", .count = 50, .seed = 3}));
    ask_all("p2p/customisable-hierarchy", workload);
    EXPECT_EQ(folder.file_count(), 1U);
  }
}

TEST(Prepared, AutoTakesWhatIsThere) {
  const PreparedFolder folder;
  const Graph graph = make_graph("road:n=2000,seed=3");
  detail::WorkloadOf<P2p> workload(graph, {{3, 99}});
  EXPECT_FALSE(automatic::choose_prepared("p2p", graph));
  ask_all("p2p/customisable-hierarchy", workload);
  EXPECT_EQ(automatic::choose_prepared("p2p", graph)->reason, "prepared-for-any-lengths");
  EXPECT_EQ(automatic::choose_prepared("sssp", graph)->reason, "prepared-for-any-lengths");
  ask_all("p2p/auto", workload);
  ask_all("p2p/contraction-hierarchy", workload);
  EXPECT_EQ(automatic::choose_prepared("p2p", graph)->reason, "prepared");
  ask_all("p2p/auto", workload);
}

TEST(Prepared, AutoLeavesOutSweepsWhoseLabelsAreTooShort) {
  const PreparedFolder folder;
  std::vector<Arc> arcs;
  for (Vertex v = 0; v < 100'000; ++v) {
    arcs.push_back({v, v + 1, v == 7 ? 0 : std::numeric_limits<Length>::max()});
  }
  const Graph graph = Graph::from_arcs(100'001, arcs);
  detail::WorkloadOf<P2p> routes(graph, {{3, 99}});
  ask_all("p2p/customisable-hierarchy", routes);
  EXPECT_TRUE(automatic::choose_prepared("p2p", graph));
  EXPECT_FALSE(automatic::choose_prepared("sssp", graph));
  detail::WorkloadOf<Sssp> trees(graph, {{3}});
  EXPECT_THROW(testing::bound_variant("sssp/customisable-hierarchy", trees), InputError);
  EXPECT_NO_THROW(testing::bound_variant("sssp/auto", trees));
}

TEST(Prepared, ADamagedFileEndsPreparing) {
  const PreparedFolder folder;
  const Graph graph = make_graph("road:n=2000,seed=3");
  detail::WorkloadOf<P2p> workload(graph, {{3, 99}});
  for (const std::string& name : {keepers()[0], keepers()[2], keepers()[4]}) {
    ask_all(name, workload);
    const auto path = std::filesystem::directory_iterator(prepared::folder())->path();
    std::string bytes = bytes_of(path);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    write_bytes(path, bytes);
    EXPECT_THROW(ask_all(name, workload), InputError);
    std::filesystem::remove(path);
  }
}

TEST(Prepared, AFolderThatIsAFileIsRefused) {
  TestFolder folder;
  write_bytes(folder / "file", "x");
  EXPECT_THROW(made_folder(folder / "file"), InputError);
  EXPECT_THROW(made_folder(folder / "file" / "below"), InputError);
}

}  // namespace
}  // namespace bellmark::prepared
