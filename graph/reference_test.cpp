#include "graph/reference.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/test_folder.hpp"
#include "base/text.hpp"
#include "graph/generate.hpp"
#include "graph/open.hpp"
#include "graph/test_support.hpp"

namespace bellmark {
namespace {

using Pairs = std::vector<GraphReference::Pair>;

std::string canonical(const std::string& text) { return to_string(parse_reference(text)); }
std::string refused(const std::string& text) {
  return error_of([&] { parse_reference(text); });
}

TEST(Reference, OfAFormulaHasAllItsKeys) {
  const GraphReference grid = parse_reference("grid:columns=5,order=random,rows=04,keep=0.50");
  EXPECT_EQ(grid.text, "grid:columns=5,order=random,rows=04,keep=0.50");
  ASSERT_NE(grid.generator, nullptr);
  EXPECT_EQ(grid.source, "grid");
  EXPECT_EQ(grid.count("rows"), 4U);
  EXPECT_EQ(grid.real("keep"), 0.5);
  EXPECT_EQ(grid.lengths(), parse_lengths("uniform:1..1000"));
  EXPECT_EQ(grid.seed(), 1U);
  EXPECT_EQ(grid.changes, (Pairs{{"order", "random"}}));
  EXPECT_EQ(to_string(grid),
            "grid:rows=4,columns=5,keep=0.5,lengths=uniform:1..1000,seed=1,order=random");
}

TEST(Reference, OfAGraphThatIsReadHasLengthsOrNone) {
  const GraphReference plain = parse_reference("dimacs:USA-road-d.NY");
  EXPECT_EQ(plain.generator, nullptr);
  EXPECT_EQ(plain.source, "dimacs:USA-road-d.NY");
  EXPECT_TRUE(plain.keys.empty());
  EXPECT_TRUE(plain.changes.empty());
  EXPECT_EQ(to_string(plain), "dimacs:USA-road-d.NY");
  const GraphReference given =
      parse_reference("dimacs:USA-road-d.NY,rows=by-length,lengths=hash:1..2^3,arcs=both");
  EXPECT_EQ(given.source, "dimacs:USA-road-d.NY");
  EXPECT_EQ(given.lengths(), parse_lengths("hash:1..8"));
  EXPECT_EQ(given.changes, (Pairs{{"arcs", "both"}, {"row-order", "by-length"}}));
  EXPECT_EQ(to_string(given),
            "dimacs:USA-road-d.NY,lengths=hash:1..8,seed=1,arcs=both,row-order=by-length");
}

TEST(Reference, OfEveryFormulaIsTheProvenanceOfItsGraph) {
  for (const char* text :
       {"grid:columns=7,rows=9,keep=0.85", "random:n=10,m=30,seed=2", "kronecker:scale=5",
        "road:n=900", "road-main:n=900,lengths=hash:1..9", "long:scale=6,seed=2",
        "square:scale=7,lengths=uniform:0..4^3", "random4:scale=8",
        "random4:scale=5,arcs=both,order=degree,rows=by-length"}) {
    const Graph graph = open_graph(text);
    EXPECT_EQ(canonical(text), graph.provenance());
    EXPECT_EQ(open_graph(graph.provenance()).content_digest(), graph.content_digest()) << text;
  }
  EXPECT_EQ(canonical("rmat:c=0.10,scale=05,lengths=log-uniform:1..9"),
            "rmat:scale=5,edge-factor=16,a=0.57,b=0.19,c=0.1,lengths=log-spread:1..9,seed=1");
  EXPECT_EQ(canonical("hyperbolic:degree=10.0,n=9,lengths=zero-one:050"),
            "hyperbolic:n=9,degree=10,exponent=3,lengths=zero-one:50,seed=1");
  EXPECT_EQ(canonical("long:scale=99"), "long:scale=99,lengths=uniform:0..1073741824,seed=1")
      << "the scale is refused when the graph is made";
}

TEST(Reference, ChangesAreMadeInOneSequence) {
  EXPECT_EQ(parse_reference("random:n=1,order=a,row-order=b,m=1,arcs=c").changes,
            (Pairs{{"arcs", "c"}, {"order", "a"}, {"row-order", "b"}}));
  // A repeated change is applied twice: the second order starts from the first.
  EXPECT_EQ(
      parse_reference("road:order=random,rows=x,order=degree,row-order=y").changes,
      (Pairs{{"order", "random"}, {"order", "degree"}, {"row-order", "x"}, {"row-order", "y"}}));
  const Graph twice = open_graph("random:n=90,m=200,order=random,order=breadth-first");
  EXPECT_TRUE(twice.provenance().ends_with(",order=random,order=breadth-first"));
  EXPECT_NE(twice.content_digest(),
            open_graph("random:n=90,m=200,order=breadth-first").content_digest());
}

TEST(Reference, RowsOfAGridAreANumber) {
  const auto changes = [](const std::string& text) { return parse_reference(text).changes; };
  EXPECT_TRUE(changes("grid:columns=5,rows=4").empty());
  EXPECT_EQ(changes("grid:columns=5,rows=4,rows=z"), (Pairs{{"row-order", "z"}}));
  EXPECT_EQ(changes("grid:rows=by-length,columns=5,rows=4"), (Pairs{{"row-order", "by-length"}}));
  EXPECT_EQ(refused("grid:rows=x,columns=5"),
            "grid:rows=x,columns=5: rows: 'x' is not a whole number; correct the value");
  EXPECT_EQ(refused("grid:columns=5,rows="),
            "grid:columns=5,rows=: rows: '' is not a whole number; correct the value");
  EXPECT_EQ(refused("grid:columns=5,rows=by-length"),
            "grid:columns=5,rows=by-length: key 'rows' is missing; add rows=VALUE");
  EXPECT_EQ(refused("grid:columns=5,rows=2,rows=3"),
            "grid:columns=5,rows=2,rows=3: key 'rows' is given twice; keep only one");
  EXPECT_EQ(refused("random:n=5,m=4,rows=3").substr(0, 41),
            "random:n=5,m=4,rows=3: unknown key 'rows'");
}

TEST(Reference, FilesMayHaveCommasAndEqualsSigns) {
  const TestFolder folder;
  const auto source = [&](const std::string& text) {
    return parse_reference(folder / text).source.substr(std::string(folder / "").size());
  };
  for (const char* name : {"a.gr", "a,b.gr", "x,order=y.gr", "x,lengths=unit,seed=2", "=,=.gr",
                           "rows=by-length.gr", "a.gr,arcs=both"}) {
    folder.write(name, "p sp 2 1\na 1 2 7\n");
    EXPECT_EQ(source(name), name);
    EXPECT_TRUE(parse_reference(folder / name).keys.empty()) << name;
    const GraphReference changed =
        parse_reference(folder / (std::string(name) + ",order=degree,lengths=unit"));
    EXPECT_EQ(changed.source, std::string(folder / name));
    EXPECT_EQ(changed.changes, (Pairs{{"order", "degree"}}));
    EXPECT_EQ(changed.keys.at("lengths"), "unit");
  }
  // The longest existing name counts, even if a shorter one exists too.
  EXPECT_EQ(source("a.gr,arcs=both,arcs=both"), "a.gr,arcs=both");
  EXPECT_EQ(open_graph(folder / "a,b.gr,lengths=scale:2^1").length(0), 14);
  // A missing file is named without its keys.
  EXPECT_EQ(source("c,d.gr,seed=1,lengths=unit"), "c,d.gr");
  EXPECT_EQ(source("c,order.gr"), "c,order.gr");
  EXPECT_EQ(error_of([&] {
              open_graph(folder / "c,d.gr,rows=by-length,lengths=unit");
            }).substr(0, std::string(folder / "c,d.gr: no such file").size()),
            std::string(folder / "c,d.gr: no such file"));
}

TEST(Reference, LengthsSampledFromAnotherGraphLeaveItNoKeys) {
  const GraphReference reference =
      parse_reference("random:n=5,m=9,lengths=sample:kronecker:scale=4,seed=3,order=random");
  EXPECT_EQ(reference.lengths().sampled, "kronecker:scale=4");
  EXPECT_EQ(reference.seed(), 3U);
  EXPECT_EQ(reference.changes, (Pairs{{"order", "random"}}));
  EXPECT_EQ(to_string(reference),
            "random:n=5,m=9,lengths=sample:kronecker:scale=4,seed=3,order=random");
  EXPECT_EQ(open_graph(reference).content_digest(),
            open_graph(to_string(reference)).content_digest());
  EXPECT_EQ(
      refused("road:lengths=sample:"),
      "lengths=sample:: the graph is missing; write sample:REF, the graph to draw lengths from");
  EXPECT_EQ(refused("road:lengths=sample:grid:rows=2,columns=3"),
            "road:lengths=sample:grid:rows=2,columns=3: unknown key 'columns'; known: n, lengths, "
            "seed, arcs, order, row-order");
  // The graph within is parsed when its lengths are drawn.
  EXPECT_EQ(error_of([] { open_graph("random:n=5,m=9,lengths=sample:grid:rows=2"); }),
            "grid:rows=2: key 'columns' is missing; add columns=VALUE");
  EXPECT_EQ(error_of([] { open_graph("random:n=2,m=1,lengths=sample:random:n=2"); }),
            "random:n=2: key 'm' is missing; add m=VALUE");
}

TEST(Reference, SaysWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"random:n=1,m=1,", "unknown key ''; known: n, m, lengths, seed, arcs, order, row-order"},
      {"random:n=1,,m=1", "unknown key ''; known: n, m, lengths, seed, arcs, order, row-order"},
      {"random:n=1,=2,m=1", "unknown key ''; known: n, m, lengths, seed, arcs, order, row-order"},
      {"random:,", "unknown key ''; known: n, m, lengths, seed, arcs, order, row-order"},
      {"random:", "key 'n' is missing; add n=VALUE"},
      {"random:n=1,m=1,n=1", "key 'n' is given twice; keep only one"},
      {"random:n=1,m=1,seed=1,seed=1", "key 'seed' is given twice; keep only one"},
      {"random:n=1,m=1,order", "key 'order' has no value; write order=VALUE"},
      {"random:n=1,m=1,arcs,order=degree", "key 'arcs' has no value; write arcs=VALUE"},
      {"random:n=1,m=1,row-order", "key 'row-order' has no value; write row-order=VALUE"},
      {"random:n=1,m=1,oder=random", "unknown key 'oder'; did you mean 'order'?"},
      {"random:n=1,m=1,row_order=by-length", "unknown key 'row_order'; did you mean 'row-order'?"},
      {"random:n=1,m=1,ORDER=random", "unknown key 'ORDER'; did you mean 'order'?"},
      {"random:n=1,m=1, order=random", "unknown key ' order'; did you mean 'order'?"},
      {"random:n=1,m=1=1", "m: '1=1' is not a whole number; correct the value"},
      {"random:n=99999999999999999999,m=1",
       "n: '99999999999999999999' is not a whole number; correct the value"},
      {"grid:rows=1,columns=1,keep=", "keep: '' is not a number; correct the value"},
      {"dimacs:USA-road-d.NY,length=unit", "unknown key 'length'; did you mean 'lengths'?"},
      {"dimacs:USA-road-d.NY,oder=random", "unknown key 'oder'; did you mean 'order'?"},
      {"dimacs:USA-road-d.NY,seed=2", "key 'lengths' is missing; add lengths=VALUE"},
      {"dimacs:USA-road-d.NY,order=random,seed=2", "key 'lengths' is missing; add lengths=VALUE"},
      {"dimacs:USA-road-d.NY,lengths=unit,lengths=unit",
       "key 'lengths' is given twice; keep only one"},
      {"dimacs:USA-road-d.NY,lengths=unit,seed=-1",
       "seed: '-1' is not a whole number; correct the value"},
      {"dimacs:USA-road-d.NY,scale=3",
       "unknown key 'scale'; known: lengths, seed, arcs, order, "
       "row-order"},
  };
  for (const auto& [text, said] : cases) EXPECT_EQ(refused(text), std::string(text) + ": " + said);
  EXPECT_EQ(error_of([] { parse_formula("grd:rows=1"); }),
            "grd:rows=1: unknown generator; did you mean 'grid'?");
  EXPECT_EQ(error_of([] { parse_formula("dimacs:USA-road-d.NY"); }).substr(0, 39),
            "dimacs:USA-road-d.NY: unknown generator");
}

TEST(Reference, SuggestionsKeepWhatWasWritten) {
  EXPECT_EQ(error_of([] { open_graph("kroneker:scale=4,lengths=unit,order=random"); }),
            "kroneker:scale=4,lengths=unit,order=random: no such graph; did you mean "
            "'kronecker:scale=4,lengths=unit,order=random'?");
}

/// Any bytes give a refusal, or a canonical text that is its own canonical text.
TEST(Reference, AnyTextIsTakenApartOrRefused) {
  const std::vector<std::string> pieces = {"grid:",
                                           "random:",
                                           "long:",
                                           "hyperbolic:",
                                           "mesh:",
                                           "k=",
                                           "degree=",
                                           "x=",
                                           "zero-one:",
                                           "exponential:",
                                           "dimacs:USA-road-d.NY",
                                           "none.gr",
                                           "rows=",
                                           "columns=",
                                           "n=",
                                           "m=",
                                           "scale=",
                                           "keep=",
                                           "lengths=",
                                           "seed=",
                                           "arcs=",
                                           "order=",
                                           "row-order=",
                                           "by-length",
                                           "both",
                                           "degree",
                                           "unit",
                                           "hash:1..9",
                                           "sample:",
                                           "uniform:0..2^",
                                           "7",
                                           "0",
                                           "0.5",
                                           "nan",
                                           "-1",
                                           ",",
                                           ",",
                                           ",",
                                           ",",
                                           "=",
                                           ":",
                                           "..",
                                           "",
                                           " ",
                                           std::string(1, '\0'),
                                           "\n",
                                           "\xff",
                                           "/"};
  std::mt19937 random(5);
  std::size_t taken = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = round % 2 == 0 ? "random:n=7,m=9" : "";
    for (std::uint32_t count = random() % 8; count > 0; --count) {
      text += pieces[random() % pieces.size()];
    }
    std::string once;
    if (code_of([&] { once = canonical(text); }) != ExitCode::ok) continue;
    ++taken;
    EXPECT_EQ(canonical(once), once) << escaped(text);
  }
  EXPECT_GT(taken, 1000U);
}

}  // namespace
}  // namespace bellmark
