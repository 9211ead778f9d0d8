#include "graph/open.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/test_folder.hpp"
#include "graph/binary.hpp"
#include "graph/dimacs.hpp"
#include "graph/test_support.hpp"

namespace bellmark {
namespace {

Graph two_vertices() { return Graph::from_arcs(2, std::vector<Arc>{{0, 1, 3}}, {{1, 2}, {3, 4}}); }

TEST(Open, FindsTheCatalogue) {
  const std::vector<std::string> ids = catalogued_graphs();
  for (const char* id : {"dimacs:USA-road-d.NY", "dimacs:USA-road-t.NY"}) {
    EXPECT_NE(std::ranges::find(ids, id), ids.end());
    EXPECT_TRUE(std::filesystem::exists(catalogued_file(id, ".gr")));
    EXPECT_EQ(catalogued_file(id, ".co").filename(), "USA-road-d.NY.co.gz");
  }
  EXPECT_EQ(catalogued_file("dimacs:USA-road-d.NY", ".ss").filename(), "USA-road-d.NY.ss");
  EXPECT_EQ(read_ss(catalogued_file("dimacs:USA-road-d.NY", ".ss"), 264'346).size(), 532U);
  EXPECT_TRUE(catalogued_file("dimacs:USA-road-t.NY", ".ss").empty());
  EXPECT_TRUE(catalogued_file("dimacs:../dimacs/USA-road-d.NY", ".gr").empty());
  EXPECT_TRUE(catalogued_file("grid:rows=1,columns=1", ".gr").empty());
}

TEST(Open, CataloguesTopologies) {
  const std::vector<std::string> ids = catalogued_graphs();
  for (const char* id : {"dimacs:USA-road-d.BAY", "topology:USA-road.NE", "topology:USA-road.NW"}) {
    EXPECT_NE(std::ranges::find(ids, id), ids.end()) << id;
  }
  const Graph graph = open_graph("topology:USA-road.NW");
  EXPECT_EQ(graph.vertex_count(), 1'207'945U);
  EXPECT_EQ(graph.arc_count(), 2 * 1'410'387U);
  EXPECT_FALSE(graph.has_lengths());
  EXPECT_TRUE(catalogued_file("topology:USA-road.NW", ".co").empty());
  EXPECT_TRUE(catalogued_file("topology:../topology/USA-road.NW", ".gr").empty());
}

TEST(Open, CataloguesRoadsOfOpenStreetMap) {
  const std::vector<std::string> ids = catalogued_graphs();
  for (const char* place : {"andorra", "baltimore", "helsinki", "liechtenstein", "monaco"}) {
    for (const char* kind : {"-d", "-t"}) {
      const std::string id = std::string("osm:") + place + kind;
      EXPECT_NE(std::ranges::find(ids, id), ids.end()) << id;
      EXPECT_EQ(catalogued_file(id, ".co").filename(), std::string(place) + ".co.gz");
    }
  }
  for (const char* id : {"osm:helsinki-d", "osm:helsinki-t"}) {
    const Graph graph = open_graph(id);
    EXPECT_EQ(graph.vertex_count(), 5'417U);
    EXPECT_EQ(graph.arc_count(), 11'903U);
    EXPECT_FALSE(graph.properties().symmetric) << "one-way roads are kept";
    ASSERT_EQ(graph.coordinates().size(), 5'417U);
    EXPECT_EQ(graph.coordinates()[0], (Coordinate{24'937'024, 60'164'325}));
  }
}

TEST(Open, PutsLengthsOnWhatItReads) {
  const TestFolder folder;
  folder.write("g.pace.gr", "p tw 3 2\n1 2\n2 3\n");
  folder.write("a,b.pace.gr", "p tw 2 1\n1 2\n");
  const Graph graph = open_graph(folder / "g.pace.gr,lengths=log-spread:10..1000000,seed=5");
  EXPECT_EQ(graph.provenance(), "g.pace.gr,lengths=log-spread:10..1000000,seed=5");
  EXPECT_TRUE(graph.properties().symmetric);
  EXPECT_GE(graph.properties().least_length, 10);
  const auto digest_of = [&](const std::string& name) {
    return open_graph(folder / name).content_digest();
  };
  EXPECT_EQ(digest_of("g.pace.gr,seed=5,lengths=log-spread:10..1000000"), graph.content_digest());
  EXPECT_EQ(digest_of("g.pace.gr,lengths=hash:1..99"),
            digest_of("g.pace.gr,seed=1,lengths=hash:1..99"));
  EXPECT_EQ(open_graph(folder / "a,b.pace.gr").vertex_count(), 2U);
  // A promise, as for every formula.
  EXPECT_EQ(open_graph("topology:USA-road.NW,lengths=log-spread:10..1000000").content_digest(),
            "58c8c967c97a5a707449854959c14aa7");
  EXPECT_EQ(open_graph("topology:USA-road.NW,lengths=kanto,seed=2").content_digest(),
            "04f0a9f022a55098a341c10e973f63af");
  const std::string file = folder / "g.pace.gr";
  EXPECT_EQ(error_of([&] { open_graph(file + ",length=unit"); }),
            file + ",length=unit: unknown key 'length'; did you mean 'lengths'?");
  EXPECT_EQ(error_of([&] { open_graph(file + ",seed=2"); }),
            file + ",seed=2: key 'lengths' is missing; add lengths=VALUE");
  EXPECT_EQ(error_of([&] { open_graph(file + ",lengths=hash:1..2,seed=x"); }),
            file + ",lengths=hash:1..2,seed=x: seed: 'x' is not a whole number; correct the value");
  EXPECT_EQ(error_of([] { open_graph("topology:USA-road.NV,lengths=unit"); }),
            "topology:USA-road.NV: no such graph; did you mean 'topology:USA-road.NE'?");
  EXPECT_EQ(code_of([&] { open_graph(folder / "none.gr,lengths=unit"); }), ExitCode::usage);
}

TEST(Open, AUsersFolderComesFirst) {
  const TestFolder folder;
  std::filesystem::create_directory(folder / "dimacs");
  write_gr(two_vertices(), folder / "dimacs/USA-road-d.NY.gr");
  write_gr(two_vertices(), folder / "dimacs/mine.gr.gz");
  ::setenv("BELLMARK_DATA", (folder / ".").c_str(), 1);
  EXPECT_EQ(open_graph("dimacs:USA-road-d.NY").vertex_count(), 2U);
  EXPECT_EQ(open_graph("dimacs:mine").vertex_count(), 2U);
  const std::vector<std::string> ids = catalogued_graphs();
  EXPECT_EQ(std::ranges::count(ids, "dimacs:USA-road-d.NY"), 1);
  ::unsetenv("BELLMARK_DATA");
  EXPECT_EQ(code_of([] { open_graph("dimacs:mine"); }), ExitCode::usage);
}

TEST(Open, AttachesTheCoordinatesBesideAFile) {
  const TestFolder folder;
  const Graph graph = two_vertices();
  write_gr(graph, folder / "x-t.A.gr");
  EXPECT_TRUE(open_graph(folder / "x-t.A.gr").coordinates().empty());
  write_co(graph, folder / "x-d.A.co.gz");
  EXPECT_TRUE(
      std::ranges::equal(open_graph(folder / "x-t.A.gr").coordinates(), graph.coordinates()));
  folder.write("x-t.A.co", "p aux sp co 2\nv 1 0 0\nv 2 0 0\n");
  EXPECT_EQ(open_graph(folder / "x-t.A.gr").coordinates()[1], (Coordinate{0, 0}));
  folder.write("x-t.A.co", "p aux sp co 3\n");
  EXPECT_EQ(code_of([&] { open_graph(folder / "x-t.A.gr"); }), ExitCode::usage);
}

TEST(Open, EveryFormGivesTheSameGraph) {
  const TestFolder folder;
  const Graph made = open_graph("grid:rows=5,columns=6,keep=0.9,lengths=uniform:0..9,seed=4");
  write_gr(made, folder / "g.gr");
  write_gr(made, folder / "h.gr.gz");
  write_binary(made, folder / "g.bmg");
  for (const char* name : {"g.gr", "h.gr.gz", "g.bmg"}) {
    EXPECT_EQ(open_graph(folder / name).content_digest(), made.content_digest());
  }
  EXPECT_EQ(open_graph(folder / "g.bmg").provenance(), made.provenance());
}

TEST(Open, ReadsMatricesAndEdgeLists) {
  const TestFolder folder;
  const std::string matrix =
      "%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 3 5\n3 2 6\n";
  folder.write("g.mtx", matrix);
  folder.write("h.mtx.gz", gzip(matrix));
  folder.write("g.wel", "0 2 5\n2 1 6\n");
  folder.write("h.wel.gz", gzip("0 2 5\n2 1 6\n"));
  const std::string digest =
      Graph::from_arcs(3, std::vector<Arc>{{0, 2, 5}, {2, 1, 6}}).content_digest();
  for (const char* name : {"g.mtx", "h.mtx.gz", "g.wel", "h.wel.gz"}) {
    const Graph graph = open_graph(folder / name);
    EXPECT_EQ(graph.content_digest(), digest) << name;
    EXPECT_EQ(graph.provenance(), name);
  }
  folder.write("g.el", "0 2\n2 1\n");
  folder.write("h.el.gz", gzip("0 2\n2 1\n"));
  EXPECT_FALSE(open_graph(folder / "g.el").has_lengths());
  EXPECT_EQ(open_graph(folder / "h.el.gz,lengths=unit").content_digest(),
            open_graph(folder / "g.el,lengths=unit").content_digest());
  EXPECT_EQ(open_graph(folder / "g.wel,lengths=scale:2^1").length(0), 10);
  EXPECT_EQ(code_of([&] { open_graph(folder / "none.el"); }), ExitCode::usage);
  EXPECT_EQ(code_of([&] { open_graph(folder / ".el"); }), ExitCode::usage);
}

TEST(Open, ANameThatIsNoUtf8IsEscapedInTheProvenance) {
  const TestFolder folder;
  const std::filesystem::path text = folder.write("\xff\n.gr", "p sp 2 1\na 1 2 3\n");
  EXPECT_EQ(open_graph(text).provenance(), "\\xff\\x0a.gr");
  // A provenance from before escaping.
  Graph raw = open_graph(text);
  raw.set_provenance("\xff.gr");
  write_binary(raw, folder / "raw.bmg");
  EXPECT_EQ(open_graph(folder / "raw.bmg").provenance(), "\\xff.gr");
}

TEST(Open, ACircleOfLinksIsNamed) {
  const TestFolder folder;
  const std::filesystem::path circle = folder / "circle.gr";
  std::filesystem::create_symlink(circle, circle);
  EXPECT_EQ(error_of([&] { open_graph(circle); }),
            circle.string() + ": its links lead round in a circle; let them end at a file");
}

TEST(Open, SaysWhatIsKnown) {
  EXPECT_EQ(error_of([] { open_graph("USA-road-d.NY"); }),
            "USA-road-d.NY: no such file; did you mean 'dimacs:USA-road-d.NY'?");
  EXPECT_EQ(
      error_of([] { open_graph("dimacs:USA-road-t.NJ"); }),
      "dimacs:USA-road-t.NJ: no such graph; did you mean 'dimacs:USA-road-t.NY'? (others can be "
      "fetched: bellmark graph get --list)");
  EXPECT_EQ(error_of([] { open_graph("kroneker:scale=4"); }),
            "kroneker:scale=4: no such graph; did you mean 'kronecker:scale=4'?");
  EXPECT_TRUE(error_of([] {
                open_graph("none.gr.gz");
              }).starts_with("none.gr.gz: no such file; check the path; the current folder is /"));
  EXPECT_NE(error_of([] { open_graph("q"); }).find("random:n=N,m=M"), std::string::npos);
  EXPECT_NE(error_of([] { open_graph("q"); }).find("FILE.mtx[.gz], FILE.el[.gz]"),
            std::string::npos);
  EXPECT_EQ(code_of([] { open_graph(""); }), ExitCode::usage);
  const TestFolder folder;
  folder.write("g.txt", "p sp 0 0\n");
  EXPECT_NE(error_of([&] { open_graph(folder / "g.txt"); }).find("graphs end in"),
            std::string::npos);
  EXPECT_EQ(code_of([&] { open_graph(folder / "."); }), ExitCode::usage);
}

TEST(Open, LooksAheadWithoutOpening) {
  EXPECT_TRUE(opens_at_once("grid:rows=8,columns=8"));
  EXPECT_TRUE(opens_at_once("dimacs:USA-road-d.NY,arcs=both,order=degree"));
  EXPECT_FALSE(opens_at_once("kronecker:scale=24"));
  EXPECT_FALSE(opens_at_once("random:n=1000,m=400000000"));
  EXPECT_FALSE(opens_at_once("grid:rows=4096,columns=4096"));
  const TestFolder folder;
  folder.write("g.txt", "p sp 0 0\n");
  for (const std::string& bad :
       {std::string("dimacs:USA-road-d.NX"), std::string("none.gr"), std::string("grid:rows=3"),
        std::string("grid:rows=3,columns=3,order=degre"), (folder / "g.txt").string()}) {
    EXPECT_EQ(error_of([&] { opens_at_once(bad); }), error_of([&] { open_graph(bad); })) << bad;
  }
}

/// The output of `command`, with "(failed)" after it when it fails.
std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return "(failed)";
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  return ::pclose(pipe) == 0 ? text : text + "(failed)";
}

TEST(Data, IsWhatItsListsSay) {
  const std::string go = std::string("cd '") + BELLMARK_TEST_SOURCE_DIR + "/data' && ";
  EXPECT_EQ(output_of(go + "sha256sum --check --quiet SHA256SUMS 2>&1"), "");
  EXPECT_EQ(
      output_of(go +
                "for f in dimacs/*.gz osm/*.gz topology/*.gz; do gzip -dc $f | sha256sum | sed "
                "\"s|-$|${f%.gz}|\"; "
                "done | diff SHA256SUMS.inflated - 2>&1"),
      "");
  EXPECT_EQ(
      output_of(go + "cut -c 67- SHA256SUMS | LC_ALL=C sort"),
      output_of(go + "find * -type f ! -name README.md ! -name 'SHA256SUMS*' | LC_ALL=C sort"));
}

/// Fractions, times the factor, become the nearest whole number, halves away from 0. Only 0 becomes
/// 0.
TEST(Open, ScalesFractionsOfAFile) {
  const TestFolder folder;
  const std::string values[] = {"0.25", "2.5", "-2.5", "0.0001", "0", "1e3", "7"};
  std::string matrix = "%%MatrixMarket matrix coordinate real general\n7 7 7\n";
  std::string list;
  for (std::size_t i = 0; i < std::size(values); ++i) {
    matrix += "1 " + std::to_string(i + 1) + " " + values[i] + "\n";
    list += "0 " + std::to_string(i) + " " + values[i] + "\n";
  }
  folder.write("g.mtx", matrix);
  folder.write("g.wel", list);
  for (const std::string name : {"g.mtx", "g.wel"}) {
    const std::string file = folder / name;
    const auto lengths = [&](const std::string& factor) {
      const Graph graph = open_graph(file + ",lengths=scaled:" + factor);
      verify_graph(graph, file);
      return std::vector<Length>(graph.lengths().begin(), graph.lengths().end());
    };
    EXPECT_EQ(lengths("1"), (std::vector<Length>{1, 3, -3, 1, 0, 1000, 7}));
    EXPECT_EQ(lengths("1000"), (std::vector<Length>{250, 2500, -2500, 1, 0, 1'000'000, 7000}));
    EXPECT_EQ(lengths("0.5"), (std::vector<Length>{1, 1, -1, 1, 0, 500, 4}));
    EXPECT_NE(error_of([&] {
                lengths("1e7");
              }).find("length 1e3 is out of range when it is scaled; scale by a smaller factor"),
              std::string::npos);
    EXPECT_EQ(open_graph(file + ",lengths=scaled:1e3,order=random").provenance(),
              name + ",lengths=scaled:1000,order=random");
    for (const char* factor : {"0", "-1", "inf", "nan", "x", ""}) {
      EXPECT_EQ(code_of([&] { lengths(factor); }), ExitCode::usage) << factor;
    }
  }
}

TEST(Open, ScalesNoOtherLengths) {
  const TestFolder folder;
  folder.write("g.gr", "p sp 2 1\na 1 2 3\n");
  folder.write("g.el", "0 1\n");
  folder.write("p.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n");
  folder.write("w.wel", "0 1 half\n");
  const auto refusal = [&](const std::string& name) {
    return error_of([&] { open_graph((folder / name).string() + ",lengths=scaled:10"); });
  };
  for (const char* name : {"g.gr", "g.el"}) {
    EXPECT_NE(refusal(name).find("is for fractions, in .mtx and .wel files"), std::string::npos);
  }
  EXPECT_NE(refusal("p.mtx").find("a pattern matrix has no values to scale"), std::string::npos);
  EXPECT_NE(refusal("w.wel").find("w.wel:1: length 'half' is not a number"), std::string::npos);
  EXPECT_EQ(code_of([] { open_graph("grid:rows=2,columns=2,lengths=scaled:10"); }),
            ExitCode::usage);
}

}  // namespace
}  // namespace bellmark
