// Console, CSV and Markdown of a result made by hand, and numbers as text.
#include <gtest/gtest.h>

#include "harness/report/claims.hpp"
#include "harness/report/console.hpp"
#include "harness/report/format.hpp"
#include "harness/report/rates.hpp"
#include "harness/report/table.hpp"
#include "harness/report/test_report.hpp"

namespace bellmark::report {
namespace {

/// The text in a log.
std::string logged(const Json& result) {
  std::set<std::string> said;
  return console_result(result, said, std::nullopt);
}

TEST(Duration, ThreeSignificantDigits) {
  EXPECT_EQ(duration_text(0), "0 ns");
  EXPECT_EQ(duration_text(1), "1.00 ns");
  EXPECT_EQ(duration_text(12.34), "12.3 ns");
  EXPECT_EQ(duration_text(850), "850 ns");
  EXPECT_EQ(duration_text(1000), "1.00 us");
  EXPECT_EQ(duration_text(16.44e6), "16.4 ms");
  EXPECT_EQ(duration_text(1.234e9), "1.23 s");
  EXPECT_EQ(duration_text(3600e9), "3600 s");
}

TEST(Duration, RoundingUpChangesDigitsAndUnit) {
  EXPECT_EQ(duration_text(9.996e6), "10.0 ms");
  EXPECT_EQ(duration_text(99.97e6), "100 ms");
  EXPECT_EQ(duration_text(999.7e3), "1.00 ms");
}

TEST(Wall, IntervalInTheMediansUnit) {
  EXPECT_EQ(wall_text(nullptr), "not measured");
  EXPECT_EQ(wall_text(wall(1.5e6, 0.9e6, 2e6)), "1.50 ms [0.900, 2.00]");
  EXPECT_EQ(wall_text(wall(1.5e6, nullptr, nullptr)), "1.50 ms");
}

TEST(Ratio, AgainstTheBaseline) {
  const Json json = result();
  const Json& cells = json.at("cells");
  EXPECT_EQ(ratio_text(json, cells[0]), "baseline");
  EXPECT_EQ(ratio_text(json, cells[1]), "1.400 [1.300, 1.500] SLOWER");
  EXPECT_EQ(ratio_text(json, cells[2]), "-");
  EXPECT_EQ(against_baseline(json, cells[2]), nullptr);
}

/// The result of a run in which the cell with this id failed after its blocks.
Json failed(const std::string& id) {
  Json json = result();
  json["not_measured"].push_back({{"cell", id},
                                  {"variant", "sssp/dijkstra:queue=heap,arity=" + id},
                                  {"code", "crash"},
                                  {"reason", "rank 1 was killed by signal 9"}});
  return json;
}

TEST(Ratio, NoneWithACellThatFailed) {
  for (const char* id : {"2", "4"}) {
    const Json json = failed(id);
    EXPECT_EQ(against_baseline(json, json.at("cells")[1]), nullptr);
    EXPECT_EQ(ratio_text(json, json.at("cells")[1]), "-");
  }
}

TEST(NotMeasured, SaysAfterHowManyBlocks) {
  Json json = failed("2");
  Json& cells = json["cells"];
  EXPECT_TRUE(is_measured(json, cells[0]));
  EXPECT_FALSE(is_measured(json, cells[1]));
  EXPECT_EQ(not_measured_text(json, cells[1]),
            "crash after 6 blocks: rank 1 was killed by signal 9");
  cells[1]["block_count"] = 1;
  EXPECT_EQ(not_measured_text(json, cells[1]),
            "crash after 1 block: rank 1 was killed by signal 9");
  EXPECT_EQ(not_measured_text(json, cells[2]), "wrong-answer: query 1: vertex 9 is too far");
  EXPECT_EQ(not_measured_text(json, cells[3]), "not measured: the run ended before");
}

TEST(Aligned, ColumnsByWidthNotBytes) {
  EXPECT_EQ(aligned({}), "");
  EXPECT_EQ(aligned({{"a", "b"}, {"long", "c"}}), "a     b\nlong  c\n");
  EXPECT_EQ(aligned({{"\xC3\xA9", "b"}, {"ab", ""}}), "\xC3\xA9   b\nab\n");
}

TEST(Console, Result) {
  EXPECT_EQ(logged(result()),
            R"(e  An experiment  (quick)
  samples: 6 x 10; answers: certified
  cell     time of a query       against the baseline
  arity=4  1.50 ms [1.40, 1.60]  baseline
  arity=2  2.10 ms [2.00, 2.20]  1.400 [1.300, 1.500] SLOWER
  arity=8  wrong-answer: query 1: vertex 9 is too far
  arity=16  not measured: the run ended before
  quick: 4 of 16 queries
  note: the load is high; stop other programs
)");
}

TEST(Console, WrongCellsShowNoTime) {
  Json json = result();
  json["cells"][2] = cell("8", wall(1, 1, 1), "wrong");
  json["cells"][2]["block_count"] = 0;
  EXPECT_EQ(logged(json), logged(result()));
}

TEST(Console, FailedCellsShowNoTimeAndNoRatio) {
  EXPECT_TRUE(logged(failed("2")).starts_with(R"(e  An experiment  (quick)
  cell     time of a query       against the baseline  samples  answers
  arity=4  1.50 ms [1.40, 1.60]  baseline              6 x 10   certified
  arity=2  crash after 6 blocks: rank 1 was killed by signal 9
)")) << logged(failed("2"));
  EXPECT_TRUE(logged(failed("4")).starts_with(R"(e  An experiment  (quick)
  cell     time of a query       against the baseline  samples  answers
  arity=2  2.10 ms [2.00, 2.20]  -                     6 x 10   certified
  arity=4  crash after 6 blocks: rank 1 was killed by signal 9
)")) << logged(failed("4"));
}

TEST(Console, SaysWhatWasChosenAndWhy) {
  Json json = result();
  json["cells"][1]["variant"] =
      "sssp/auto:algorithm=dijkstra,reason=a-word,settings=arity=4;q=heap";
  EXPECT_NE(logged(json).find("\n  on grid:rows=3,columns=3 sssp/auto chose dijkstra: a-word "
                              "(arity=4;q=heap)\n"),
            std::string::npos);
}

TEST(Disturbed, IsSaidBesideTheTime) {
  Json json = result();
  json["cells"][1]["disturbance"] = {{"disturbed", true}, {"reason", "others had its cores"}};
  EXPECT_NE(logged(json).find("2.10 ms [2.00, 2.20], disturbed"), std::string::npos);
  EXPECT_NE(markdown({json}).find("| 2.10 ms [2.00, 2.20], disturbed |"), std::string::npos);
  EXPECT_NE(csv({json}).find("4096,,certified,,,others had its cores,,,,,,\n"), std::string::npos);
  json["cells"][1]["disturbance"] = {{"disturbed", false}, {"reason", nullptr}};
  EXPECT_EQ(logged(json), logged(result()));
}

TEST(Console, NamesWhatIsUntimed) {
  Json json = result();
  json["cells"][1]["untimed"] = "levels-and-ids";
  const std::string row =
      "  arity=2  2.10 ms [2.00, 2.20]  1.400 [1.300, 1.500] SLOWER  levels and ids\n";
  EXPECT_NE(logged(json).find(row), std::string::npos) << logged(json);
  EXPECT_NE(markdown({json}).find("| arity=2 (levels and ids untimed) |"), std::string::npos);
  EXPECT_NE(csv({json}).find("4096,,certified,,,,levels and ids,,,,,\n"), std::string::npos);
  json["cells"][1]["label"] = "untimed=levels-and-ids";  // which says so
  EXPECT_EQ(logged(json).find("levels and ids"), std::string::npos);
  json["cells"][1]["untimed"] = "nothing";
  json["cells"][1]["label"] = "arity=2";
  EXPECT_EQ(logged(json), logged(result()));
}

TEST(Csv, OneLineACell) {
  const std::string head =
      std::string("experiment,cell,label,variant,graph,placement,rank_count,query_count,") +
      "block_count,sample_count,wall_ns_median,wall_ns_ci95_low,wall_ns_ci95_high," +
      "baseline_ratio,baseline_ratio_ci95_low,baseline_ratio_ci95_high,outcome," +
      "accounted_bytes,resident_bytes,validation,not_measured_code,not_measured_reason," +
      "disturbed,untimed,last_level_cache_bytes,working_set_ratio,bytes_per_second," +
      "operations_per_second,items_per_second\n";
  EXPECT_EQ(csv({}), head);
  EXPECT_EQ(
      csv({result()}),
      head +
          R"(e,4,arity=4,"sssp/dijkstra:queue=heap,arity=4","grid:rows=3,columns=3",core:0,1,4,6,60,1500000.0,1400000.0,1600000.0,,,,,4096,,certified,,,,,,,,,
e,2,arity=2,"sssp/dijkstra:queue=heap,arity=2","grid:rows=3,columns=3",core:0,1,4,6,60,2100000.0,2000000.0,2200000.0,1.4,1.3,1.5,SLOWER,4096,,certified,,,,,,,,,
e,8,arity=8,"sssp/dijkstra:queue=heap,arity=8","grid:rows=3,columns=3",core:0,1,4,0,0,,,,,,,,4096,,wrong,wrong-answer,query 1: vertex 9 is too far,,,,,,,
e,16,arity=16,"sssp/dijkstra:queue=heap,arity=16","grid:rows=3,columns=3",core:0,1,4,0,0,,,,,,,,4096,,not validated,,,,,,,,,
)");
}

TEST(Csv, ACellWithoutAGraphHasAnInput) {
  Json json = result();
  for (Json& cell : json["cells"]) cell["axes"] = {{"input", "n=3"}};
  const std::string graph = ",variant,graph,placement,";
  const std::string input = ",variant,input,placement,";
  EXPECT_NE(csv({json}).find(input), std::string::npos);
  EXPECT_NE(csv({json, result()}).find(graph), std::string::npos);
  json["cells"][1]["axes"] = {{"graph", "g"}};
  EXPECT_NE(csv({json}).find(graph), std::string::npos);
}

TEST(Csv, SaysTheWorkingSet) {
  Json json = result();
  json["cells"][0]["working_set"] = {
      {"bytes", 4096}, {"last_level_cache_bytes", 8192}, {"ratio", 0.5}, {"reason", nullptr}};
  EXPECT_NE(csv({json}).find("4096,,certified,,,,,8192,0.5,,,\n"), std::string::npos);
}

TEST(Console, SaysWhetherTheWorkingSetFits) {
  Json json = result();
  const auto set = [&](std::size_t cell, const Json& ratio) {
    json["cells"][cell]["working_set"] = {{"ratio", ratio}};
  };
  set(0, nullptr);
  EXPECT_EQ(logged(json), logged(result()));
  set(0, 0.0412);
  EXPECT_NE(logged(json).find("  memory: 0.041 of the last-level cache: it fits\n"),
            std::string::npos);
  set(1, 2.96);
  EXPECT_NE(logged(json).find("  memory: 0.041 to 3 of the last-level cache\n"), std::string::npos);
}

TEST(Rates, AreShownWhereWorkIsDeclared) {
  Json json = result();
  EXPECT_EQ(rate_text(json["cells"][0]), "");
  EXPECT_EQ(markdown({json}).find("| rate |"), std::string::npos);
  json["cells"][0]["rates"] = {{"bytes_per_second", {{"median", 12.34e9}}},
                               {"operations_per_second", {{"median", 999.6e6}}},
                               {"items_per_second", {{"median", 42.0}}}};
  EXPECT_EQ(rate_text(json["cells"][0]), "12.3 GB/s, 1e9 operations/s, 42 items/s");
  EXPECT_NE(logged(json).find("12.3 GB/s, 1e9 operations/s, 42 items/s"), std::string::npos);
  EXPECT_NE(markdown({json}).find("| 12.3 GB/s, 1e9 operations/s, 42 items/s | certified |"),
            std::string::npos);
  EXPECT_NE(csv({json}).find(",12340000000.0,999600000.0,42.0\n"), std::string::npos);
}

TEST(Csv, FailedCellsHaveNoTimeAndNoRatio) {
  EXPECT_NE(csv({failed("2")}).find(",6,60,,,,,,,,4096,,certified,crash,rank 1 was"),
            std::string::npos);
  EXPECT_NE(csv({failed("4")}).find("2100000.0,2000000.0,2200000.0,,,,,4096"), std::string::npos);
}

TEST(Csv, QuotesAreDoubled) {
  Json json = result();
  json["cells"][0]["label"] = "a \"b\"";
  EXPECT_NE(csv({json}).find(R"(e,4,"a ""b""",)"), std::string::npos);
}

TEST(Markdown, ClaimsAndCells) {
  EXPECT_EQ(markdown({result()}), R"(## Claims

| claim | what the paper says | verdict | why |
| --- | --- | --- | --- |
| p/Y1 | two \| four | reproduced on a stand-in: small | reproduced: fine |

## e: An experiment

| cell | time of a query | against the baseline | answers |
| --- | --- | --- | --- |
| arity=4 | 1.50 ms [1.40, 1.60] | baseline | certified |
| arity=2 | 2.10 ms [2.00, 2.20] | 1.400 [1.300, 1.500] SLOWER | certified |
| arity=8 | wrong-answer: query 1: vertex 9 is too far | - | wrong |
| arity=16 | not measured: the run ended before | - | not validated |

)");
}

TEST(Markdown, SaysWhatIsNotJudged) {
  Json doubted = result();
  EXPECT_EQ(markdown({doubted}).find("not judged"), std::string::npos);
  doubted["cells"][1]["doubts"] = {"one query is asked"};
  EXPECT_NE(markdown({doubted}).find("\n- not judged: `arity=2`: one query is asked\n"),
            std::string::npos)
      << markdown({doubted});
}

TEST(Markdown, FailedCellsAreSaidOnce) {
  Json json = failed("2");
  json["not_measured"].back()["reason"] = "rank 1 | was\nkilled";
  const std::string text = markdown({json});
  EXPECT_NE(text.find("\n| arity=2 | crash after 6 blocks: rank 1 \\| was killed | - | "),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("- not measured:"), std::string::npos);
  json["cells"].erase(1);  // of which nothing is known but that it failed
  EXPECT_NE(markdown({json}).find("- not measured: `sssp/dijkstra:queue=heap,arity=2`: crash: "),
            std::string::npos);
}

TEST(Csv, ACellIsNoFormula) {
  Json json = result();
  for (const char* label : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1"}) {
    json["cells"][0]["label"] = label;
    EXPECT_NE(csv({json}).find(",'" + std::string(label) + ","), std::string::npos) << label;
  }
  json["cells"][0]["label"] = "=A1,\"b\"\r";
  EXPECT_NE(csv({json}).find(",\"'=A1,\"\"b\"\"\r\","), std::string::npos) << csv({json});
}

TEST(Markdown, HoldsNoHtml) {
  Json json = result();
  json["experiment"]["title"] = "<script>alert(1)</script>\n<b>";
  json["cells"][0]["label"] = "a\\|<img>";
  json["not_measured"].push_back(
      {{"cell", "gone"}, {"variant", "v`<i>`"}, {"code", "crash"}, {"reason", "<u>"}});
  const std::string text = markdown({json});
  EXPECT_NE(text.find("## e: \\<script>alert(1)\\</script> \\<b>\n"), std::string::npos) << text;
  EXPECT_NE(text.find("| a\\\\\\|\\<img> |"), std::string::npos) << text;
  EXPECT_NE(text.find("- not measured: `v'<i>'`: crash: \\<u>\n"), std::string::npos) << text;
}

TEST(Exports, BeginAsIsSaid) {
  EXPECT_TRUE(csv({}).starts_with(kCsvBegin));
  EXPECT_TRUE(markdown({result()}).starts_with(kMarkdownBegin));
  Json json = result();
  json["verdicts"] = Json::array();
  EXPECT_TRUE(markdown({json}).starts_with(kMarkdownBegin));
}

Json counter(const std::string& name, const Json& value, const Json& reason) {
  return {{"group", "software"},
          {"name", name},
          {"unit", "count"},
          {"value", value},
          {"reason", reason}};
}

Json counted() {
  Json json = result();
  const Json absent[] = {counter("cycles", nullptr, "no PMU"),
                         counter("misses", nullptr, "no PMU")};
  json["cells"][0]["counters"] = {counter("faults", 0, nullptr), absent[0], absent[1]};
  json["cells"][1]["counters"] = {counter("faults", nullptr, "lost"), absent[0], absent[1]};
  return json;
}

TEST(Counters, ValuesOrTheReasonOnTheConsole) {
  EXPECT_NE(logged(counted()).find(R"(
  Counters, per pass over the queries
    cell     faults (count)
    arity=4  0
    arity=2  lost
    not counted: cycles (count), misses (count): no PMU
)"),
            std::string::npos)
      << logged(counted());
  EXPECT_EQ(logged(result()).find("Counters"), std::string::npos);
}

TEST(Counters, ValuesOrTheReasonInMarkdown) {
  EXPECT_NE(markdown({counted()}).find(R"(
Counters, per pass over the queries:

| cell | faults (count) |
| --- | --- |
| arity=4 | 0 |
| arity=2 | lost |

- not counted: cycles (count), misses (count): no PMU
)"),
            std::string::npos)
      << markdown({counted()});
}

TEST(Console, EqualReasonsAreSaidOnceWithACount) {
  Json json = result();
  for (const char* id : {"32", "64", "128", "256"}) {
    json["cells"].push_back(cell(id, nullptr, "not validated"));
    json["not_measured"].push_back(
        {{"cell", id}, {"variant", "v"}, {"code", "unmet-need"}, {"reason", "no GPU"}});
  }
  EXPECT_NE(logged(json).find("\n  4 cells (arity=32; arity=64; arity=128 and 1 more)  "
                              "unmet-need: no GPU\n"),
            std::string::npos)
      << logged(json);
}

TEST(Console, ReasonsThatDifferInNumbersAreSaidOnce) {
  Json json = result();
  for (const char* id : {"32", "64", "128"}) {
    json["cells"].push_back(cell(id, nullptr, "not validated"));
    json["not_measured"].push_back({{"cell", id},
                                    {"variant", "v"},
                                    {"code", "unmet-need"},
                                    {"reason", std::string("needs ") + id + " GiB"}});
  }
  EXPECT_NE(logged(json).find("\n  3 cells (arity=32; arity=64; arity=128)  unmet-need: "
                              "needs 32 GiB (and 2 alike, with other numbers)\n"),
            std::string::npos)
      << logged(json);
}

TEST(Console, NotesOnTheMachineAreSaidOnceARun) {
  Json json = result();
  std::set<std::string> said;
  const auto load = [&](const char* figure) {
    json["warnings"] = {
        {{"text", std::string("the load average is ") + figure}, {"action", "stop"}}};
    return console_result(json, said, 80);
  };
  EXPECT_NE(load("2.5").find("note: the load average is 2.5; stop"), std::string::npos);
  EXPECT_EQ(load("2.7").find("note:"), std::string::npos);
  json["warnings"] = {{{"text", "a GPU was held back"}, {"action", "wait"}}};
  EXPECT_NE(console_result(json, said, 80).find("note: a GPU"), std::string::npos);
}

TEST(Console, SaysWhatARunWithoutAFileMeasured) {
  Json json = result();
  json["provenance"] = {{"spec", ""}};
  EXPECT_NE(logged(json).find("(quick)\n  on grid:rows=3,columns=3 at core:0\n"), std::string::npos)
      << logged(json);
  while (json["cells"].size() > 1) json["cells"].erase(1);
  EXPECT_NE(logged(json).find("(quick)\n  sssp/dijkstra:queue=heap,arity=4 on "
                              "grid:rows=3,columns=3 at core:0\n"),
            std::string::npos);
  json["provenance"]["spec"] = "id = \"e\"";
  EXPECT_EQ(logged(json).find(" at core:0"), std::string::npos);
}

TEST(Legend, SaysWhatTheTablesMeanWhereThereAreAny) {
  const std::string legend = console_legend({result()}, std::nullopt);
  for (const char* part : {"[a, b]", "6 x 2", "UNCLEAR", "certified"}) {
    EXPECT_NE(legend.find(part), std::string::npos) << part;
  }
  Json json = result();
  for (Json& each : json["cells"]) each["wall_ns"] = nullptr;
  EXPECT_EQ(console_legend({json}, std::nullopt), "");
}

TEST(MergeClaims, InTheOrderOfTheirNumbers) {
  Json json = result();
  json["verdicts"] = Json::array();
  for (const char* claim : {"p/Y11", "p/Y2", "p/Y1"}) {
    json["verdicts"].push_back(verdict("reproduced", "fine"));
    json["verdicts"].back()["claim"] = claim;
  }
  std::vector<std::string> claims;
  for (const ClaimRow& row : merge_claims({json})) claims.push_back(row.claim);
  EXPECT_EQ(claims, (std::vector<std::string>{"p/Y1", "p/Y2", "p/Y11"}));
}

}  // namespace
}  // namespace bellmark::report
