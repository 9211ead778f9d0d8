#include "graph/binary.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <functional>

#include "base/atomic_file.hpp"
#include "base/digest.hpp"
#include "base/test_folder.hpp"
#include "graph/dimacs.hpp"
#include "graph/generate.hpp"
#include "graph/test_support.hpp"

namespace bellmark {
namespace {

Graph small_graph() {
  Graph graph = Graph::from_arcs(3, std::vector<Arc>{{0, 1, 4}, {1, 0, 4}, {2, 2, 0}},
                                 {{1, 2}, {3, 4}, {5, 6}});
  graph.set_provenance("by hand");
  return graph;
}

void expect_same(const Graph& a, const Graph& b) {
  EXPECT_TRUE(std::ranges::equal(a.row_offsets(), b.row_offsets()));
  EXPECT_TRUE(std::ranges::equal(a.heads(), b.heads()));
  EXPECT_TRUE(std::ranges::equal(a.lengths(), b.lengths()));
  EXPECT_TRUE(std::ranges::equal(a.coordinates(), b.coordinates()));
  EXPECT_TRUE(std::ranges::equal(a.edge_list_degrees(), b.edge_list_degrees()));
  EXPECT_EQ(a.properties(), b.properties());
  EXPECT_EQ(a.provenance(), b.provenance());
  EXPECT_EQ(a.content_digest(), b.content_digest());
}

TEST(Binary, RoundTripsEveryShape) {
  const TestFolder folder;
  std::vector<Graph> graphs = {small_graph(),
                               Graph::from_arcs(0, {}),
                               Graph::from_arcs(5, {}),
                               make_grid(30, 40, 0.8, parse_lengths("uniform:0..9"), 1),
                               make_random(100, 1000, parse_lengths("hash:1..2147483647"), 2),
                               make_random(9, 50, parse_lengths("hash:-2147483647..-1"), 3),
                               make_graph("kronecker:scale=8"),
                               with_edge_list_degrees(small_graph(), {3, 1, 4}),
                               with_edge_list_degrees(Graph::from_arcs(3, {}), {0, 2, 0})};
  const Graph& first = graphs.front();
  graphs.push_back(Graph::adopt(nullptr, first.row_offsets(), first.heads(), {}, {},
                                find_properties(first.row_offsets(), first.heads(), {})));
  for (const Graph& graph : graphs) {
    const auto path = folder / "g.bmg";
    write_binary(graph, path);
    EXPECT_NO_THROW(verify_binary(path));
    const Graph opened = open_binary(path);
    expect_same(opened, graph);
    EXPECT_EQ(opened.recorded_digest(), graph.content_digest());
    for (const void* array : {static_cast<const void*>(opened.row_offsets().data()),
                              static_cast<const void*>(opened.heads().data()),
                              static_cast<const void*>(opened.lengths().data()),
                              static_cast<const void*>(opened.coordinates().data()),
                              static_cast<const void*>(opened.edge_list_degrees().data())}) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array) % 64, 0U);
    }
    EXPECT_EQ(folder.file_count(), 1U);
  }
}

TEST(Binary, TheDefaultGraphIsWrittenAsTheEmptyOne) {
  const TestFolder folder;
  write_binary(Graph(), folder / "a.bmg");
  write_binary(Graph::from_arcs(0, {}), folder / "b.bmg");
  EXPECT_EQ(open_binary(folder / "a.bmg").vertex_count(), 0U);
  EXPECT_NO_THROW(verify_binary(folder / "a.bmg"));
}

TEST(Binary, TheGraphOutlivesItsFile) {
  const TestFolder folder;
  write_binary(small_graph(), folder / "g.bmg");
  Graph copy;
  {
    const Graph opened = open_binary(folder / "g.bmg");
    copy = opened;
  }
  std::filesystem::remove(folder / "g.bmg");
  expect_same(copy, small_graph());
}

/// The file of small_graph() after `change` to its header, with a true checksum.
std::string changed_header(const std::function<void(BinaryHeader&)>& change) {
  const TestFolder folder;
  write_binary(small_graph(), folder / "g.bmg");
  std::string bytes = TestFolder::read(folder / "g.bmg");
  BinaryHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  change(header);
  header.checksum = binary_checksum(header, "by hand");
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

std::string open_error(const std::string& bytes) {
  const TestFolder folder;
  const auto path = folder.write("g.bmg", bytes);
  std::string error = error_of([&] { open_binary(path); });
  // Without the folder's name and the remedy.
  const std::size_t begin = error.find("g.bmg: ");
  if (begin == std::string::npos) return error;
  return error.substr(begin + 7, error.find(';') - begin - 7);
}

TEST(Binary, OpeningChecksTheHeader) {
  EXPECT_EQ(open_error(changed_header([](BinaryHeader&) {})), "(no error)");
  EXPECT_EQ(open_error(""), "too short for a .bmg file");
  EXPECT_EQ(open_error("p sp 3 3\n"), "too short for a .bmg file");
  EXPECT_EQ(open_error(std::string(500, 'x')), "not a .bmg file");
  EXPECT_EQ(open_error(changed_header([](auto& h) { h.byte_order = 0x04030201; })),
            "written with another byte order");
  EXPECT_EQ(open_error(changed_header([](auto& h) { h.version = 9; })), "version 9 of the format");
  EXPECT_EQ(open_error(changed_header([](auto& h) { h.file_bytes += 4; })),
            "the file has 408 bytes, its header says 412");
  for (const auto& change : std::vector<std::function<void(BinaryHeader&)>>{
           [](auto& h) { h.vertex_count = 4; }, [](auto& h) { h.vertex_count = ~std::uint64_t{0}; },
           [](auto& h) { h.vertex_count = std::uint64_t{1} << 61; },
           [](auto& h) { h.arc_count = ~std::uint64_t{0}; },
           [](auto& h) { h.arc_count = std::uint64_t{1} << 62; },
           [](auto& h) { h.provenance_bytes = ~std::uint64_t{0}; },
           [](auto& h) { h.flags ^= BinaryHeader::kCoordinates; },
           [](auto& h) { h.flags ^= BinaryHeader::kEdgeListDegrees; }}) {
    const std::string error = open_error(changed_header(change));
    EXPECT_EQ(error, "the header's counts do not fit into the file");
  }
  EXPECT_EQ(open_error(changed_header([](auto& h) { h.flags |= 64; })),
            "the header has unknown flags");
  EXPECT_EQ(open_error(changed_header([](auto& h) { h.arc_count = 2; })),
            "the row offsets do not run from 0 to the arc count");
}

// Files are kept for long: files of versions without edge-list degrees have these bytes.
TEST(Binary, AGraphWithAllItsEdgesIsTheSameFileAsEver) {
  const TestFolder folder;
  write_binary(small_graph(), folder / "g.bmg");
  const std::string bytes = TestFolder::read(folder / "g.bmg");
  EXPECT_EQ(hex64(digest64(std::as_bytes(std::span(bytes)))), "80b41c2226508c7d");
  EXPECT_TRUE(open_binary(folder / "g.bmg").edge_list_degrees().empty());
}

TEST(Binary, DamagedEdgeListDegreesAreFoundByTheirDigest) {
  const TestFolder folder;
  const Graph graph = with_edge_list_degrees(small_graph(), {3, 1, 4});
  write_binary(graph, folder / "g.bmg");
  verify_binary(folder / "g.bmg");
  EXPECT_EQ(open_binary(folder / "g.bmg").recorded_edge_list_digest(), edge_list_digest(graph));
  std::string bytes = TestFolder::read(folder / "g.bmg");
  // From 4 to 6: not below the number of arcs that leave the vertex, and an even sum.
  bytes[bytes.size() - 4] = 6;
  const auto damaged = folder.write("damaged.bmg", bytes);
  EXPECT_EQ(code_of([&] { verify_binary(damaged); }), ExitCode::usage);

  // A file without a digest is read in the same way, with nothing to check the degrees against.
  BinaryHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.edge_list_digest = 0;
  header.checksum = binary_checksum(header, graph.provenance());
  std::memcpy(bytes.data(), &header, sizeof header);
  verify_binary(folder.write("old.bmg", bytes));
}

TEST(Binary, EveryDamagedByteIsFound) {
  const TestFolder folder;
  write_binary(small_graph(), folder / "g.bmg");
  const std::string good = TestFolder::read(folder / "g.bmg");
  // Coordinates and the zeros between arrays are in no digest: no search depends on them.
  std::size_t unnoticed = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    const auto path = folder.write("bad.bmg", bad);
    if (code_of([&] { verify_binary(path); }) == ExitCode::ok) ++unnoticed;
  }
  const std::size_t header = 128 + 7;
  const std::size_t arrays = 4 * 8 + 3 * 4 + 3 * 4;
  EXPECT_EQ(unnoticed, good.size() - header - arrays);
  for (std::size_t size = 0; size < good.size(); ++size) {
    const auto path = folder.write("bad.bmg", good.substr(0, size));
    EXPECT_EQ(code_of([&] { open_binary(path); }), ExitCode::usage);
  }
  EXPECT_EQ(code_of([&] { open_binary(folder.write("bad.bmg", good + "x")); }), ExitCode::usage);
}

TEST(Binary, SaysWhatIsWrongWithAFile) {
  const TestFolder folder;
  EXPECT_EQ(code_of([&] { open_binary(folder / "none.bmg"); }), ExitCode::usage);
  EXPECT_EQ(code_of([&] { open_binary(folder / "."); }), ExitCode::usage);
  EXPECT_EQ(code_of([] { open_binary("/dev/null"); }), ExitCode::usage);
}

/// Runs `action` where no file may grow beyond `bytes`: for write() this is a full disk.
void with_file_limit(rlim_t bytes, const std::function<void()>& action) {
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limited{bytes, old.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limited), 0);
  action();
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
  std::signal(SIGXFSZ, old_handler);
}

TEST(AtomicFile, AFullDiskLeavesTheOldFileAndNothingElse) {
  const TestFolder folder;
  const Graph large = make_random(1000, 100'000, parse_lengths("uniform:1..1000000"), 1);
  for (const std::string name : {"g.bmg", "g.gr", "g.gr.gz"}) {
    const auto path = folder.write(name, "old");
    ExitCode code = ExitCode::ok;
    with_file_limit(50'000, [&] {
      code = code_of([&] { name == "g.bmg" ? write_binary(large, path) : write_gr(large, path); });
    });
    EXPECT_EQ(code, ExitCode::machine);
    EXPECT_EQ(TestFolder::read(path), "old");
  }
  EXPECT_EQ(folder.file_count(), 3U);
}

TEST(AtomicFile, WithoutCommitNothingRemains) {
  const TestFolder folder;
  {
    AtomicFile file(folder / "x");
    file.write("text");
  }
  EXPECT_EQ(folder.file_count(), 0U);
}

TEST(AtomicFile, AKilledProcessLeavesNothing) {
  const TestFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    AtomicFile file(folder / "x");
    file.write(std::string(1'000'000, 'x'));
    ::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const int nameless = ::open((folder / "").c_str(), O_WRONLY | O_TMPFILE, 0600);
  if (nameless < 0) GTEST_SKIP() << "the file system has no files without a name";
  ::close(nameless);
  EXPECT_EQ(folder.file_count(), 0U);
}

TEST(AtomicFile, RefusesWhatIsNoFile) {
  const TestFolder folder;
  EXPECT_EQ(code_of([&] { AtomicFile file(folder / "."); }), ExitCode::usage);
  EXPECT_EQ(code_of([] { AtomicFile file("/dev/null"); }), ExitCode::usage);
  EXPECT_EQ(code_of([&] { AtomicFile file(folder / "none" / "x"); }), ExitCode::usage);
  std::filesystem::create_directory(folder / "locked");
  std::filesystem::permissions(folder / "locked", std::filesystem::perms::owner_read);
  // Permissions don't bind the super-user.
  EXPECT_EQ(code_of([&] { AtomicFile file(folder / "locked" / "x"); }),
            ::geteuid() == 0 ? ExitCode::ok : ExitCode::machine);
  std::filesystem::permissions(folder / "locked", std::filesystem::perms::owner_all);
}

TEST(AtomicFile, WritesThroughLinks) {
  const TestFolder folder;
  folder.write("real", "old");
  std::filesystem::create_symlink("real", folder / "link");
  AtomicFile file(folder / "link");
  file.write("new");
  file.commit();
  EXPECT_EQ(TestFolder::read(folder / "real"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
}

}  // namespace
}  // namespace bellmark
