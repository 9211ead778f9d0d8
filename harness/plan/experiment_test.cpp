// Experiments as files: valid ones, and the report of faults.
#include "harness/plan/experiment.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "base/error.hpp"
#include "harness/plan/experiment_keys.hpp"
#include "harness/plan/test_files.hpp"

namespace bellmark::plan {
namespace {

namespace fs = std::filesystem;

TEST(Experiment, DefaultsWhereNothingIsSaid) {
  const Experiment experiment = parse(kHead);
  EXPECT_EQ(experiment.id, "e");
  EXPECT_EQ(experiment.title, "e");
  EXPECT_EQ(experiment.problem, "sssp");
  EXPECT_EQ(experiment.queries.count, 16U);
  EXPECT_EQ(experiment.queries.seed, 42U);
  EXPECT_EQ(experiment.placement, "core:0");
  EXPECT_EQ(experiment.rank_count, 1U);
  EXPECT_EQ(experiment.launcher, "");
  EXPECT_EQ(experiment.block_count, 6U);
  EXPECT_EQ(experiment.sample_count, 30U);
  EXPECT_FALSE(experiment.memory);
  EXPECT_TRUE(experiment.claims.empty());
  EXPECT_EQ(experiment.paper_query_count, std::nullopt);
  EXPECT_EQ(experiment.text, kHead);
}

TEST(Experiment, AxesKeepTheFilesOrder) {
  const Experiment experiment = parse(std::string(kHead) + "zebra = 1\nant = [true, 'x', 2.5]\n");
  std::vector<std::string> names;
  for (const Axis& axis : experiment.axes) names.push_back(axis.first);
  EXPECT_EQ(names, (std::vector<std::string>{"graph", "arity", "zebra", "ant"}));
  EXPECT_EQ(axis_text(experiment.axes[3].second[0]), "true");
  EXPECT_EQ(axis_text(experiment.axes[3].second[1]), "x");
  EXPECT_EQ(axis_text(experiment.axes[3].second[2]), "2.5");
}

// More than 60 lines: a file with every section, and the contents that are read.
TEST(Experiment, EverySectionIsRead) {
  const Experiment experiment = parse(R"(id = "yasui2011/T4"
title = "Table 4"
paper = { key = "yasui2011", item = "Table 4", queries = 1000 }
variants = ["sssp/dijkstra"]
stand_in = "NY instead of USA"
[workload]
problem = "sssp"
queries = { kind = "list", list = [1, 7], seed = 9 }
[axes]
graph = ["g"]
[[exclude]]
where = { graph = "g" }
why = "too large"
[run]
placement = "each:core"
ranks = 4
launcher = "mpirun -n {ranks}"
block_count = 8
sample_count = 3
seconds_per_process = 1.5
timeout_s = 20
memory = true
counters = ["software"]
baseline = { graph = "g" }
[quick]
query_count = 1
sample_count = 2
seconds_per_process = 1
stand_in = { class = "smaller, effect can show", text = "small for large" }
axes = { graph = ["h"] }
[[figure]]
kind = "curve"
[[figure]]
kind = "bars"
paper = [{ x = 1 }]
[[claim]]
id = "Y"
kind = "shape"
text = "t"
checks = "stand-in"
about = "memory"
sentence = "It is compact."
metric = "memory.accounted_bytes"
where = { graph = ["g", "h"] }
statements = [{ text = "s", numerator = { graph = "g" }, denominator = { graph = "h" }, at_least = 1.5, paper = 2, rival = 1.2, reason = "visibly" }]
)");
  EXPECT_EQ(experiment.paper_key, "yasui2011");
  EXPECT_EQ(experiment.paper_query_count, 1000U);
  EXPECT_EQ(experiment.queries.list, (std::vector<std::uint64_t>{1, 7}));
  EXPECT_EQ(experiment.queries.count, 0U) << "a list is asked whole";
  EXPECT_EQ(experiment.queries.seed, 9U);
  EXPECT_EQ(experiment.excludes.at(0).why, "too large");
  EXPECT_EQ(experiment.rank_count, 4U);
  EXPECT_EQ(experiment.launcher, "mpirun -n {ranks}");
  EXPECT_EQ(experiment.block_count, 8U);
  EXPECT_EQ(experiment.seconds_per_process, 1.5);
  EXPECT_EQ(experiment.timeout_s, 20);
  EXPECT_TRUE(experiment.memory);
  EXPECT_EQ(experiment.counters, std::vector<std::string>{"software"});
  EXPECT_EQ(experiment.quick.query_count, 1U);
  EXPECT_EQ(experiment.quick.axes.at(0).first, "graph");
  EXPECT_EQ(experiment.stand_ins.at(0).text, "NY instead of USA");
  EXPECT_EQ(experiment.stand_ins.at(0).stand_in_class, std::nullopt);
  EXPECT_EQ(experiment.quick.stand_ins.at(0).stand_in_class, StandInClass::smaller_can_show);
  EXPECT_TRUE(experiment.claims.at(0).checks_stand_in);
  ASSERT_EQ(experiment.figure.size(), 2U);
  EXPECT_EQ(experiment.figure.at(1).at("kind"), "bars");
  const Claim& claim = experiment.claims.at(0);
  EXPECT_EQ(claim.metric, "memory.accounted_bytes");
  EXPECT_EQ(claim.where.text(), "graph = g|h");
  EXPECT_EQ(claim.statements.at(0).at_least, 1.5);
  EXPECT_EQ(claim.statements.at(0).at_most, std::nullopt);
  EXPECT_EQ(claim.statements.at(0).reason, "visibly");
  EXPECT_EQ(claim.statements.at(0).rival, 1.2);
  EXPECT_EQ(claim.statements.at(0).paper.value, 2);
  EXPECT_EQ(claim.about, About::memory);
  EXPECT_EQ(claim.sentence, "It is compact.");
}

TEST(Experiment, MissingKeysAreNamedWithTheirLine) {
  EXPECT_TRUE(says(fault(""), "key 'id' is missing"));
  EXPECT_TRUE(says(fault("id = 'e'"), "key 'variants' is missing"));
  EXPECT_TRUE(says(fault("id = 'e'\nvariants = ['v']"), "key 'workload' is missing"));
  EXPECT_TRUE(says(fault("id = 'e'\nvariants = ['v']\n[workload]\nproblem = 'sssp'"),
                   "e.toml:3: key 'workload.queries' is missing"));
  EXPECT_TRUE(says(fault(std::string(kHead) + "[[claim]]\nid = 'Y'\nkind = 'ratio'\n"),
                   "e.toml:9: key 'claim.text' is missing"));
}

TEST(Experiment, StandInsHaveAClass) {
  const auto said = [](const std::string& stand_in) {
    return fault("stand_in = " + stand_in + "\n" + std::string(kHead));
  };
  EXPECT_TRUE(says(said("{ class = 'smaller, effect can', text = 't' }"),
                   "e.toml:1: 'smaller, effect can' is not a class of stand-ins; did you mean"));
  EXPECT_TRUE(says(said("{ text = 't' }"), "key 'stand_in.class' is missing"));
  EXPECT_TRUE(says(said("{ class = 'same data' }"), "key 'stand_in.text' is missing"));
  EXPECT_TRUE(says(said("[{ class = 'same data', text = 't', graph = [\"g\"] }]"),
                   "unknown key 'stand_in.graph'; did you mean 'graphs'?"));
  EXPECT_TRUE(says(said("7"), "key 'stand_in' must be a table"));
  EXPECT_TRUE(says(fault(std::string(kHead) + kRatio + "checks = 'paper'\n"),
                   "'paper' can't be checked; write checks = \"stand-in\""));
}

TEST(Experiment, OfSeveralGraphsTheFirstThatIsHereIsMeasured) {
  const auto graph = [](const std::string& value) {
    return axis_text(parse(replaced(kHead, "graph = [\"g\"]", "graph = ['" + value + "']"))
                         .axes.at(0)
                         .second.at(0));
  };
  EXPECT_EQ(graph("first-of: dimacs:NOWHERE | square:scale=4 | road:"), "square:scale=4");
  EXPECT_EQ(graph("first-of: dimacs:USA-road-d.NY,lengths=unit | road:"),
            "dimacs:USA-road-d.NY,lengths=unit");
  EXPECT_EQ(graph("first-of: no.gr | none.gr"), "none.gr");
  EXPECT_EQ(graph("first-of:road:"), "road:");
  for (const char* text : {"first-of:", "first-of: road: |", "first-of: | road:"}) {
    EXPECT_TRUE(
        says(fault(replaced(kHead, "graph = [\"g\"]", "graph = ['" + std::string(text) + "']")),
             "write first-of: GRAPH | GRAPH"))
        << text;
  }
}

TEST(Experiment, UnknownKeysAreRefusedWithTheNearest) {
  EXPECT_TRUE(says(fault("titel = 'x'\n" + std::string(kHead)), "e.toml:1: unknown key 'titel'"));
  EXPECT_TRUE(says(fault("titel = 'x'\n" + std::string(kHead)), "did you mean 'title'?"));
  EXPECT_TRUE(says(fault(std::string(kHead) + "[run]\nblock_cuont = 6\n"),
                   "e.toml:10: unknown key 'run.block_cuont'; did you mean 'block_count'?"));
  EXPECT_TRUE(says(fault(replaced(kHead, "count = 16", "cuont = 16")),
                   "e.toml:5: unknown key 'workload.queries.cuont'; did you mean 'count'?"));
  EXPECT_TRUE(says(fault(std::string(kHead) + replaced(kRatio, "numerator", "numerater")),
                   "did you mean 'numerator'?"));
  EXPECT_TRUE(says(fault(std::string(kHead) + replaced(kRatio, "high =", "hihg =")),
                   "'claim.paper.hihg'; did you mean 'high'?"));
}

TEST(Experiment, AStrayKeyIsNamedBeforeTheOneThatItStandsFor) {
  EXPECT_TRUE(says(fault(replaced(kHead, "variants", "varaints")),
                   "e.toml:2: unknown key 'varaints'; did you mean 'variants'?"));
  EXPECT_TRUE(says(fault("sample_count = 3\n" + std::string(kHead)),
                   "e.toml:1: unknown key 'sample_count'; it belongs under [run]"));
  EXPECT_TRUE(says(fault(std::string(kHead) + "[figure]\nkind = 'bars'\nserie = 'a'\n"),
                   "e.toml:11: unknown key 'figure.serie'; did you mean 'series'?"));
}

TEST(Experiment, NumbersAreFiniteAndWithinReason) {
  EXPECT_TRUE(says(fault(std::string(kHead) + "[run]\nblock_count = 1_000_000_000_000\n"),
                   "e.toml:10: key 'run.block_count' must be at most 10000; lower it"));
  EXPECT_TRUE(says(fault(replaced(kHead, "count = 16", "count = 1_000_000_000")),
                   "must be at most 10000000"));
  EXPECT_TRUE(says(fault(std::string(kHead) + "[run]\ntimeout_s = 1e300\n"), "at most 10^9"));
  EXPECT_TRUE(says(fault(std::string(kHead) + replaced(kRatio, "low = 1.2", "low = nan")),
                   "e.toml:15: key 'claim.paper.low' must be a finite number"));
  EXPECT_TRUE(says(fault(replaced(kHead, "[2, 4]", "[2, inf]")),
                   "e.toml:8: key 'axes.arity' must be a finite number"));
}

TEST(Experiment, AnAxisIsNamedOnce) {
  const std::string said = fault(std::string(kHead) + "[run]\nbaseline = { zebra = 1 }\n");
  EXPECT_TRUE(says(said, "known: graph, placement, arity")) << said;
}

TEST(Experiment, PlacesAreThoseOfTheFile) {
  const Experiment experiment = parse(std::string(kHead) + kRatio);
  EXPECT_EQ(place_of(experiment, "axes.arity", "4"), "e.toml:8");
  EXPECT_EQ(place_of(experiment, "claim[0].numerator.arity"), "e.toml:13");
  EXPECT_EQ(place_of(experiment, "claim[0].where.arity"), "e.toml:9");
  EXPECT_EQ(place_of(experiment, "quick.axes"), "e.toml:1");
  EXPECT_EQ(place_of(parse("variants = [\n'a',\n'b']\nid = 'e'\nworkload = { problem = 'p', "
                           "queries = { kind = 'k' } }\n"),
                     "variants", "b"),
            "e.toml:3");
  Experiment adhoc;
  adhoc.id = "x";
  EXPECT_EQ(place_of(adhoc, "axes"), "experiment 'x'");
}

/// The key lists of the reader are those of the schema.
TEST(Experiment, KeysAreTheSchemas) {
  std::ifstream stream(BELLMARK_TEST_SOURCE_DIR "/harness/schema/experiment.schema.json");
  const Json schema = Json::parse(stream);
  const auto expect = [](const Keys& keys, const Json& table) {
    Keys known;
    for (const auto& [name, type] : table.at("properties").items()) known.push_back(name);
    EXPECT_EQ(std::set(keys.begin(), keys.end()), std::set(known.begin(), known.end()));
  };
  const Json& root = schema.at("properties");
  expect(kRootKeys, schema);
  expect(kPaperKeys, root.at("paper"));
  expect(kWorkloadKeys, root.at("workload"));
  expect(kQueryKeys, root.at("workload").at("properties").at("queries"));
  expect(kExcludeKeys, root.at("exclude").at("items"));
  expect(kRunKeys, root.at("run"));
  expect(kQuickKeys, root.at("quick"));
  expect(kFigureKeys, schema.at("definitions").at("figure"));
  const Json& claim = root.at("claim").at("items");
  expect(kClaimKeys, claim);
  const Json& statement = claim.at("properties").at("statements").at("items");
  expect(kStatementKeys, statement);
  expect(kOverKeys, statement.at("properties").at("over"));
  expect(kShownCellKeys, claim.at("properties").at("cells").at("items"));
  const Json& program = root.at("program").at("items");
  expect(kProgramKeys, program);
  expect(kProgramTimeKeys, program.at("properties").at("time").at("anyOf").at(1));
  expect(kProgramSettingKeys, program.at("properties").at("setting").at("items"));
  expect(kPaperValueKeys, claim.at("properties").at("paper"));
}

TEST(Experiment, WrongTypes) {
  EXPECT_TRUE(says(fault(replaced(kHead, "\"e\"", "3")), "e.toml:1: key 'id' must be a string"));
  EXPECT_TRUE(says(fault(replaced(kHead, "count = 16", "count = '16'")),
                   "e.toml:5: key 'workload.queries.count' must be a whole number"));
  EXPECT_TRUE(says(fault(replaced(kHead, "count = 16", "count = 1.5")), "must be a whole number"));
  EXPECT_TRUE(says(fault(replaced(kHead, "count = 16", "count = 0")), "must be 1 or more"));
  EXPECT_TRUE(says(fault(replaced(kHead, "count = 16", "list = [-1]")), "must hold ids"));
  EXPECT_TRUE(says(fault(replaced(kHead, "[\"sssp/dijkstra:arity={arity}\"]", "'v'")),
                   "e.toml:2: key 'variants' must be a list"));
  EXPECT_TRUE(says(fault(replaced(kHead, "[\"sssp/dijkstra:arity={arity}\"]", "[1]")),
                   "'variants' must hold strings"));
  EXPECT_TRUE(says(fault(replaced(kHead, "[2, 4]", "[]")), "e.toml:8: axis 'axes.arity' has no"));
  EXPECT_TRUE(says(fault(replaced(kHead, "[2, 4]", "[[2], 4]")), "must hold words or numbers"));
  EXPECT_TRUE(says(fault(std::string(kHead) + "[run]\nmemory = 1\n"), "must be true or false"));
  EXPECT_TRUE(says(fault(std::string(kHead) + "[run]\ntimeout_s = 'x'\n"), "must be a number"));
  EXPECT_TRUE(says(fault("workload = 1\nid='e'\nvariants=['v']"), "must be a table"));
  EXPECT_TRUE(says(fault("claim = [1]\n" + std::string(kHead)), "must hold tables"));
}

TEST(Experiment, TimesMustBeAboveZero) {
  for (const char* line : {"timeout_s = 0", "timeout_s = -1", "timeout_s = nan",
                           "seconds_per_process = 0", "seconds_per_process = inf"}) {
    EXPECT_TRUE(says(fault(std::string(kHead) + "[run]\n" + line + "\n"), "e.toml:10: key 'run."))
        << line;
  }
  EXPECT_TRUE(says(fault(std::string(kHead) + "[quick]\nseconds_per_process = -2\n"), "above 0"));
}

TEST(Experiment, IdsCanNotLeaveTheRunsFolder) {
  for (const char* id : {"", "/tmp/x", "../x", "a/../../x", "a//b", ".", "a/"}) {
    EXPECT_TRUE(
        says(fault(replaced(kHead, "id = \"e\"", "id = '" + std::string(id) + "'")), "e.toml:1: "))
        << id;
  }
  EXPECT_EQ(parse(replaced(kHead, "\"e\"", "\"yasui2011/T4.b_c-d\"")).id, "yasui2011/T4.b_c-d");
}

TEST(Experiment, NotToml) {
  EXPECT_TRUE(says(fault("id = 'e'\nvariants = [\n"), "e.toml:"));
  EXPECT_TRUE(says(fault("id = 'e'\nthis is no TOML\n"), "e.toml:2: not valid TOML"));
  EXPECT_TRUE(says(fault("id = 'e'\nid = 'f'\n"), "e.toml:2: not valid TOML"));
}

TEST(Experiment, KeysOfManyPartsAreRefused) {
  const auto repeated = [](const std::string& part, std::size_t count) {
    std::string text = "a";
    for (std::size_t i = 1; i < count; ++i) text += part;
    return text;
  };
  for (const std::string& key :
       {repeated(".a", 50'000), repeated(" . a", 50'000), repeated(".\"a\"", 50'000)}) {
    EXPECT_TRUE(says(fault("id = 'e'\n" + key + " = 1\n"), "e.toml:2: a key has more than"));
    EXPECT_TRUE(says(fault("id = 'e'\n[" + key + "]\n"), "e.toml:2: a key has more than"));
    EXPECT_TRUE(says(fault("x = { " + key + " = 1 }\n"), "e.toml:1: a key has more than"));
  }
  // Dots elsewhere do not part a key.
  const std::string dots(50'000, '.');
  std::string numbers;
  for (int i = 0; i < 1000; ++i) numbers += "1.5, ";
  for (const std::string& text :
       {"x = \"" + dots + "\\\"" + dots + "\"\n", "x = '" + dots + "'\n", "# " + dots + "\n",
        "x = \"\"\"\n" + dots + "\"\n'" + dots + "\"\"\"\n", "x = [" + numbers + "]\n"}) {
    EXPECT_FALSE(says(fault(text), "a key has more than")) << text.substr(0, 20);
  }
}

TEST(Figures, ShowAMetricThatCanBeDrawn) {
  const auto figure = [](const std::string& metric) {
    return std::string(kHead) + "[figure]\nkind = 'bars'\nmetric = '" + metric + "'\n";
  };
  for (const char* metric :
       {"wall_ns", "teps.median", "memory.resident_bytes", "memory.accounted_bytes.arcs",
        "phase_log.phase_count", "phase_log.closed_count.mean"}) {
    EXPECT_EQ(parse(figure(metric)).figure.at("metric"), metric);
  }
  EXPECT_TRUE(says(fault(figure("phase_log.closed_count.late_largest")), "can't be drawn"));
  EXPECT_TRUE(says(fault(figure("answer.objective")), "can't be drawn"));
  EXPECT_TRUE(says(fault(figure("wall_n")), "'wall_n' is no metric; did you mean 'wall_ns'?"));
}

TEST(Selectors, MatchByText) {
  const Json axes = {{"arity", 4}, {"graph", "g"}};
  EXPECT_TRUE(Selector{}.matches(axes));
  EXPECT_TRUE((Selector{{{"arity", {2, 4}}}}.matches(axes)));
  EXPECT_TRUE((Selector{{{"arity", {"4"}}}}.matches(axes)));
  EXPECT_FALSE((Selector{{{"arity", {2}}}}.matches(axes)));
  EXPECT_FALSE((Selector{{{"width", {32}}}}.matches(axes)));
  EXPECT_FALSE((Selector{{{"arity", {4}}, {"graph", {"h"}}}}.matches(axes)));
}

TEST(Files, EveryShippedExperimentParses) {
  const auto files = find_experiments(BELLMARK_TEST_SOURCE_DIR "/experiments");
  EXPECT_GE(files.size(), 5U);
  for (const fs::path& file : files) {
    EXPECT_NE(file.filename(), "paper.toml");
    EXPECT_NO_THROW(read_experiment(file)) << file;
  }
}

TEST(PaperSentences, AreOfEveryPaperWithoutListsOfExperiments) {
  const auto sentences = paper_sentences();
  EXPECT_EQ(sentences.at("yasui2011/Y4"), "Moving a hole beats swapping");
  EXPECT_EQ(sentences.at("hiragushi2013/B1"), "With GPUs faster than CPUs alone, up to 64 nodes");
  for (const fs::path& file : find_experiments(BELLMARK_TEST_SOURCE_DIR "/experiments")) {
    const Experiment experiment = read_experiment(file);
    if (experiment.citation.empty()) continue;  // not a paper's
    for (const Claim& claim : experiment.claims) {
      EXPECT_TRUE(sentences.contains(experiment.paper_key + "/" + claim.id)) << file << claim.id;
    }
  }
}

TEST(Files, FoundByNameWithoutFolderOrEnding) {
  const auto files = find_experiments("yasui2011/table4");
  ASSERT_EQ(files.size(), 1U);
  const Experiment experiment = read_experiment(files[0]);
  EXPECT_EQ(experiment.paper_key, "yasui2011");
  EXPECT_FALSE(experiment.citation.empty()) << "paper.toml was not read";
  const auto same = find_experiments("experiments/yasui2011/table4.toml");
  ASSERT_EQ(same.size(), 1U);
  EXPECT_TRUE(fs::equivalent(same[0], files[0]));
  // Numbers count as numbers: table17 comes after table5.
  const std::vector<std::string> ordered = {"table3", "table4", "table5", "table17"};
  std::vector<std::string> stems;
  for (const fs::path& file : find_experiments("yasui2011")) {
    const std::string stem = file.stem();
    if (std::ranges::find(ordered, stem) != ordered.end()) stems.push_back(stem);
  }
  EXPECT_EQ(stems, ordered);
}

TEST(Files, FoundByTheIdThatIsPrinted) {
  EXPECT_EQ(find_experiments("yasui2011/T4"), find_experiments("yasui2011/table4"));
  EXPECT_EQ(find_experiments("hiragushi2013/F12-ranks"),
            find_experiments("hiragushi2013/figure12-ranks"));
}

TEST(Files, UnknownNamesSuggestTheNearest) {
  const auto said = [](const std::string& name) {
    try {
      find_experiments(name);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("found");
  };
  EXPECT_TRUE(says(said("yasui2011/tabel4"), "did you mean 'yasui2011/table4'?"));
  EXPECT_TRUE(says(said("Yasui2011/Table4"), "did you mean 'yasui2011/table4'?"));
  EXPECT_TRUE(says(said("yasu2011"), "did you mean 'yasui2011'?"));
  EXPECT_TRUE(says(said("yasui2011/Y3"), "is a claim; run what tests it: yasui2011/T4"));
}

TEST(Files, FolderWithoutExperiments) {
  const fs::path folder = fs::path(testing::TempDir()) / "bellmark_no_experiments";
  fs::create_directories(folder);
  EXPECT_THROW(find_experiments(folder.string()), InputError);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace bellmark::plan
