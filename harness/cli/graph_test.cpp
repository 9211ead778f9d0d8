#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/test_folder.hpp"
#include "graph/binary.hpp"
#include "graph/generate.hpp"
#include "graph/open.hpp"
#include "graph/test_support.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/graph_make.hpp"

namespace bellmark::cli {
namespace {

struct Outcome {
  std::string out;
  std::string error;
  int exit_code = 0;
};

/// Runs `bellmark graph ARGUMENTS...` in this process.
Outcome run(std::vector<std::string> arguments) {
  CLI::App app;
  Outcome outcome;
  const Argv argv;
  ExitCode code = ExitCode::ok;
  add_command(app, graph_command(), argv, code);
  arguments.insert(arguments.begin(), "graph");
  std::ranges::reverse(arguments);  // CLI11 takes them from the back
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  try {
    app.parse(arguments);
    outcome.exit_code = static_cast<int>(code);
  } catch (const Error& error) {
    outcome.exit_code = static_cast<int>(error.code());
    outcome.error = error.what();
  } catch (const CLI::ParseError& error) {
    outcome.exit_code = static_cast<int>(ExitCode::usage);
    outcome.error = error.what();
  }
  outcome.out = testing::internal::GetCapturedStdout();
  outcome.error += testing::internal::GetCapturedStderr();
  return outcome;
}

TEST(GraphCommand, InfoSaysWhatAGraphIs) {
  const Outcome text = run({"info", "grid:rows=3,columns=4,lengths=unit"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_EQ(text.error, "");
  EXPECT_EQ(text.out.substr(0, text.out.find("digest")),
            "vertices        12\n"
            "arcs            34\n"
            "symmetric       yes\n"
            "sorted rows     yes\n"
            "lengths         1 to 1\n"
            "degree          2 to 4, mean 2.83333\n"
            "distance bound  10 by 2*tree-eccentricity, symmetric\n"
            "coordinates     no\n");
  const Outcome json = run({"info", "--json", "dimacs:USA-road-d.NY"});
  const auto parsed = nlohmann::json::parse(json.out);
  EXPECT_EQ(parsed["vertex_count"], 264'346);
  EXPECT_EQ(parsed["arc_count"], 733'846);
  EXPECT_EQ(parsed["largest_length"], 36'946);
  EXPECT_EQ(parsed["has_coordinates"], true);
  EXPECT_TRUE(parsed["edge_list_edge_count"].is_null());
  EXPECT_EQ(parsed["content_digest"], open_graph("dimacs:USA-road-d.NY").content_digest());
}

TEST(GraphCommand, InfoCountsTheEdgesOfTheList) {
  const TestFolder folder;
  const std::string file = folder / "k.bmg";
  EXPECT_EQ(run({"make", "kronecker:scale=6", "-o", file}).exit_code, 0);
  EXPECT_NE(
      run({"info", file}).out.find("\nedge list       1024 edges, loops and duplicates included\n"),
      std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(run({"info", "--json", file}).out)["edge_list_edge_count"], 1024);
}

TEST(GraphCommand, ConvertsBetweenAllForms) {
  const TestFolder folder;
  folder.write("a.gr", "p sp 2 1\na 1 2 5\n");
  folder.write("a.co", "p aux sp co 2\nv 1 -3 4\nv 2 5 6\n");
  EXPECT_EQ(run({"convert", folder / "a.gr", folder / "b.bmg"}).exit_code, 0);
  EXPECT_EQ(run({"convert", folder / "b.bmg", folder / "c.gr.gz"}).exit_code, 0);
  const Outcome last = run({"convert", folder / "c.gr.gz", folder / "d.gr"});
  const Graph first = open_graph(folder / "a.gr");
  EXPECT_EQ(last.out, first.content_digest() + "\n");
  EXPECT_EQ(open_graph(folder / "d.gr").coordinates()[0], (Coordinate{-3, 4}));
  EXPECT_EQ(TestFolder::read(folder / "d.co").substr(10), "p aux sp co 2\nv 1 -3 4\nv 2 5 6\n");
  EXPECT_EQ(run({"convert", folder / "a.gr", folder / "a.txt"}).exit_code, 2);
  EXPECT_EQ(run({"convert", folder / "a.gr"}).exit_code, 2);
  for (const char* name : {"a.pace.gr", "a.pace.gr.gz"}) {
    const Outcome pace = run({"convert", folder / "a.gr", folder / name});
    EXPECT_EQ(pace.exit_code, 2);
    EXPECT_NE(pace.error.find("end the name in .bmg, .gr or .gr.gz, without .pace"),
              std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(folder / name));
  }
}

TEST(GraphCommand, VerifyGoesThroughAllFiles) {
  const TestFolder folder;
  write_binary(open_graph("random:n=9,m=20"), folder / "good.bmg");
  std::string bytes = TestFolder::read(folder / "good.bmg");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  folder.write("bad.bmg", bytes);
  const std::string good = folder / "good.bmg";
  const Outcome outcome = run({"verify", folder / "bad.bmg", good, folder / "none.bmg"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "ok " + good + "\n");
  EXPECT_NE(outcome.error.find("bad.bmg: the "), std::string::npos);
  EXPECT_NE(outcome.error.find("none.bmg: no such file"), std::string::npos);
  EXPECT_EQ(run({"verify", good}).exit_code, 0);
}

TEST(GraphCommand, MakesGraphs) {
  const TestFolder folder;
  const std::string file = folder / "g.bmg";
  for (const char* formula :
       {"grid:rows=5,columns=6,keep=0.9,lengths=hash:1..9,seed=3", "random:n=50,m=60",
        "kronecker:scale=6,edge-factor=4", "road:n=900", "road-main:n=900,lengths=unit",
        "long:scale=9,seed=4", "square:scale=9,seed=4", "random4:scale=9,seed=4",
        "long:scale=9,lengths=uniform:0..4^3", "random:n=50,m=60,order=degree,row-order=by-length",
        "grid:rows=5,columns=6,rows=by-length", "delaunay:n=60,lengths=exponential:9",
        "rmat:scale=6,a=0.5,b=0.2,c=0.1,lengths=zero-one:50"}) {
    const Outcome made = run({"make", formula, "-o", file});
    EXPECT_EQ(made.exit_code, 0) << made.error;
    EXPECT_EQ(made.out, open_graph(formula).content_digest() + "\n");
    EXPECT_EQ(open_graph(file).content_digest() + "\n", made.out);
    EXPECT_EQ(open_graph(file).provenance(), open_graph(formula).provenance());
  }
  const auto error = [&](const std::string& formula) {
    const Outcome refused = run({"make", formula, "-o", folder / "none.bmg"});
    EXPECT_EQ(refused.exit_code, 2) << formula;
    EXPECT_FALSE(std::filesystem::exists(folder / "none.bmg"));
    return refused.error;
  };
  EXPECT_NE(error("grid:rows=5,columns=6,keep=2").find("keep is not in 0..1"), std::string::npos);
  EXPECT_NE(error("grid:rows=5,colums=6").find("did you mean 'columns'?"), std::string::npos);
  EXPECT_NE(error("gird:rows=5").find("unknown generator; did you mean 'grid'?"),
            std::string::npos);
  EXPECT_NE(error("tree").find("unknown generator"), std::string::npos);
  EXPECT_NE(error("dimacs:USA-road-d.NY").find("unknown generator"), std::string::npos);
  EXPECT_NE(error("").find("FORMULA: is empty"), std::string::npos);
  EXPECT_EQ(run({"make", "random:n=50,m=60"}).exit_code, 2);
  EXPECT_NE(run({"make", "random:n=50,m=60"}).error.find("--output is required"),
            std::string::npos);
  EXPECT_EQ(run({"make", "-o", file}).exit_code, 2);
  EXPECT_NE(run({"make", "tree", "--rows", "5"}).error.find("unknown generator"),
            std::string::npos);
  EXPECT_EQ(run({}).exit_code, 2);
}

TEST(GraphCommand, MakeAnswersFlagsWithTheFormula) {
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"grid", "--rows", "3", "-o", "x.bmg"}, "grid:rows=3 -o x.bmg"},
      {{"grid", "--rows=5", "--columns", "6", "--keep", "0.9", "--lengths", "hash:1..9", "--seed",
        "3", "-o", "g.bmg"},
       "grid:rows=5,columns=6,keep=0.9,lengths=hash:1..9,seed=3 -o g.bmg"},
      {{"grid", "-o", "my graph.bmg", "--rows", "3"}, "grid:rows=3 -o 'my graph.bmg'"},
      {{"random", "-n", "50", "-m60", "--output", "r.gr.gz"}, "random:n=50,m=60 -o r.gr.gz"},
      {{"random", "--vertices", "50", "--arcs=60"}, "random:n=50,m=60 -o FILE"},
      {{"kronecker", "--scale", "6", "--edge-factor", "4", "-o", "k.bmg"},
       "kronecker:scale=6,edge-factor=4 -o k.bmg"},
      {{"road", "-o", "x.bmg"}, "road: -o x.bmg"},
      {{"road", "-n", "900", "--main", "-o", "x.bmg"}, "road-main:n=900 -o x.bmg"},
      {{"long", "-n", "14", "-o", "x.bmg"}, "long:scale=14 -o x.bmg"},
      {{"random4", "-C", "10", "--seed", "4", "-o", "x.bmg"},
       "random4:scale=20,lengths=uniform:0..4^10,seed=4 -o x.bmg"},
      {{"random4", "-n", "5", "-C", "3", "-o", "x.bmg"},
       "random4:scale=5,lengths=uniform:0..4^3 -o x.bmg"},
      {{"grid", "--lengths", "potential:-5..9", "-o", "x.bmg"},
       "grid:lengths=potential:-5..9 -o x.bmg"},
      {{"grid:rows=3", "--columns", "4", "-o", "x.bmg"}, "grid:rows=3,columns=4 -o x.bmg"},
      {{"grid", "rows=3", "-o", "x.bmg"}, "grid:rows=3 -o x.bmg"},
      {{"grid", "--rows", "-o", "x.bmg"}, "grid:rows= -o x.bmg"},
  };
  for (auto [arguments, command] : cases) {
    const std::string formula = arguments.front();
    arguments.insert(arguments.begin(), "make");
    const Outcome answered = run(arguments);
    EXPECT_EQ(answered.exit_code, 2);
    EXPECT_EQ(answered.error, "graph make " + formula +
                                  ": a formula has keys in place of flags; say: bellmark graph "
                                  "make " +
                                  command);
    EXPECT_FALSE(std::filesystem::exists("x.bmg"));
  }
}

TEST(GraphCommand, MakeHelpListsEveryFormulaWithItsKeys) {
  const std::string help = formulas_help();
  for (const Generator& generator : generators()) {
    std::size_t at = help.find("\n  " + generator.name + ": ");
    ASSERT_NE(at, std::string::npos) << generator.name;
    for (const FormulaKey& key : generator.keys) {
      at = help.find("\n    " + key.name + " ", at);
      ASSERT_NE(at, std::string::npos) << generator.name << " " << key.name;
      const std::string line = help.substr(at, help.find('\n', at + 1) - at);
      EXPECT_TRUE(line.ends_with(key.fallback.empty() ? ", needed" : ", default " + key.fallback))
          << line;
    }
  }
  for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = help.find('\n', begin);
    EXPECT_LE(std::min(end, help.size()) - begin, 100U) << help.substr(begin, end - begin);
  }
}

}  // namespace
}  // namespace bellmark::cli
