// Stored results: found by their content, read plain or compressed, brought up to date, refused.
#include "harness/run/result/stored.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/input.hpp"
#include "base/test_folder.hpp"
#include "harness/run/result/schema_check.hpp"
#include "harness/run/supervise/run_folder.hpp"

namespace bellmark::run {
namespace {

namespace fs = std::filesystem;

/// A stored result with verdicts.
Json judged_result() {
  return Json::parse(read_whole(BELLMARK_TEST_SOURCE_DIR "/analysis/testdata/bars.json"));
}

Json result() {
  Json result = judged_result();
  result["verdicts"] = Json::array();
  return result;
}

/// The error of reading `path`; "" when it is read.
std::string refusal(const fs::path& path) {
  try {
    read_result(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

class StoredTest : public testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& text) {
    fs::path file = folder_ / name;
    fs::create_directories(file.parent_path());
    write_file(file, text);
    return file;
  }
  std::vector<std::string> found(const std::string& name = {}) {
    return relative(find_results({(folder_ / name).string()}).files);
  }
  std::vector<std::string> skipped() {
    return relative(find_results({(folder_ / "").string()}).skipped);
  }
  std::vector<std::string> relative(std::vector<std::string> files) {
    for (std::string& file : files) file = fs::relative(file, folder_ / "").string();
    return files;
  }

  TestFolder folder_;
};

TEST_F(StoredTest, CompressedAndPlainAreReadAlike) {
  EXPECT_EQ(read_result(write("plain.json", result().dump())), result());
  EXPECT_EQ(read_result(write("small.json.gz", result().dump())), result());
  EXPECT_EQ(read_whole(folder_ / "small.json.gz"), result().dump());
}

TEST_F(StoredTest, TheSameTextIsCompressedToTheSameBytes) {
  const std::string bytes = gzipped("text");
  EXPECT_EQ(bytes, gzipped("text"));
  ASSERT_GT(bytes.size(), 10U);
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x1f\x8b\x08\0\0\0\0\0", 8)) << "no name, no time";
  const std::string none = gzipped("");
  Input input(none, "empty");
  char byte = 0;
  EXPECT_EQ(input.read(std::span(&byte, 1)), 0U);
}

TEST_F(StoredTest, FoldersAreSearchedBySchema) {
  write("b/any.json", result().dump());
  write("a/other.json.gz", result().dump(2));
  write("a/run.json", R"({"argv": ["bellmark-result"]})");
  write("a/micro.json", R"({"benchmarks": []})");
  write("a/map.json", R"({"schema": {"name": "bellmark-verdicts"}, "of": "bellmark-result"})");
  write("a/notes.txt", result().dump());
  write("a/broken.json.gz", "");
  write("a/begun.json.gz", "{}");
  write("c/result.json", "{");
  write("c/garbage.json", "garbage");
  fs::rename(folder_ / "c/garbage.json", folder_ / "c/garbage.json.gz");
  fs::create_directories(folder_ / "d/result.json.gz");
  EXPECT_EQ(found(), (std::vector<std::string>{"a/other.json.gz", "b/any.json"}));
  EXPECT_EQ(skipped(), (std::vector<std::string>{"a/broken.json.gz", "a/map.json", "a/micro.json",
                                                 "c/garbage.json.gz", "c/result.json"}));
  write("top.json", result().dump());
  EXPECT_EQ(found(), (std::vector<std::string>{"a/other.json.gz", "b/any.json", "top.json"}))
      << "a folder's own result hides none below";
  EXPECT_EQ(found("b"), std::vector<std::string>{"b/any.json"});
}

TEST_F(StoredTest, ACompressedCopyBesideItsPlainFileCountsOnce) {
  write("x.json", result().dump());
  write("x.json.gz", result().dump());
  EXPECT_EQ(found(), std::vector<std::string>{"x.json"});
  write("y.json", "{}");
  write("y.json.gz", result().dump());
  EXPECT_EQ(found(), (std::vector<std::string>{"x.json", "y.json.gz"}));
}

TEST_F(StoredTest, WhatIsNoResultIsRefused) {
  const fs::path cut = write("cut.json.gz", result().dump());
  fs::resize_file(cut, fs::file_size(cut) - 10);
  EXPECT_NE(refusal(cut).find(cut.string() + ": gzip data ends too early after "),
            std::string::npos)
      << refusal(cut);
  const std::string whole = result().dump();
  const fs::path half = write("half.json", whole.substr(0, whole.size() / 2));
  EXPECT_EQ(refusal(half), half.string() +
                               ": is damaged: it ends too early or is no valid JSON; copy it "
                               "again, or run the experiment again");
  const fs::path text = write("text.json.gz", "spots");
  EXPECT_EQ(refusal(text), text.string() +
                               ": is not a Bellmark result; name a result.json that `bellmark run` "
                               "wrote");
  const fs::path folder = folder_ / "result.json.gz";
  fs::create_directories(folder);
  EXPECT_EQ(refusal(folder), folder.string() +
                                 ": there is no result in it or in the folders below; name a "
                                 "result.json, a finished run or a folder of these");
  write("begun run/run.json", "{}");
  EXPECT_NE(refusal(folder_ / "begun run")
                .find("; the run in it has not ended: bellmark resume --end '" +
                      (folder_ / "begun run").string() + "'"),
            std::string::npos)
      << refusal(folder_ / "begun run");
  write("begun run/result.json", "{}");
  EXPECT_NE(refusal(folder_ / "begun run").find("name a result.json"), std::string::npos)
      << "it has ended: " << refusal(folder_ / "begun run");
  const fs::path none = folder_ / "none.json";
  EXPECT_EQ(refusal(none), none.string() +
                               ": cannot be read: No such file or directory; name a result.json or "
                               "the folder of a finished run");
  write("two/a.json", result().dump());
  write("two/b.json", result().dump());
  EXPECT_NE(refusal(folder_ / "two").find("holds 2 results; name one of them"), std::string::npos);
}

TEST_F(StoredTest, WhatFailedCellsMeasuredIsForgotten) {
  Json older = result();
  const Json& failed = older["cells"][0];
  Json entry = older["not_measured"][0];
  entry.update({{"cell", failed["id"]}, {"code", "crash"}});
  older["not_measured"].push_back(entry);
  const Json read = read_result(write("older.json", older.dump()));
  EXPECT_FALSE(failed["wall_ns"].is_null());
  EXPECT_TRUE(read["cells"][0]["wall_ns"].is_null());
  EXPECT_EQ(read["cells"][0]["counters"], Json::array());
  EXPECT_EQ(read["cells"][0]["block_count"], 6) << "says how far it came";
  EXPECT_EQ(read["cells"][0].size(), failed.size()) << "what it never had is not made up";
  EXPECT_EQ(read["cells"][1], older["cells"][1]);
  EXPECT_EQ(older["comparisons"].size(), 4U);
  EXPECT_EQ(read["comparisons"], Json::array({older["comparisons"][1], older["comparisons"][2]}));
}

TEST_F(StoredTest, OlderSearchesSayWhatTheyLeftOutsideTheTime) {
  const Json read = read_result(BELLMARK_TEST_SOURCE_DIR
                                "/results/published/hiragushi2013/nvidia-h200-16-cores-virtual/"
                                "20261122-af7f47c2/own-NY.json.gz");
  std::set<std::pair<std::string, std::string>> untimed;
  for (const Json& cell : read["cells"]) {
    const auto variant = cell["variant"].get<std::string>();
    untimed.emplace(variant.substr(0, variant.find(':')), cell.value("untimed", ""));
  }
  EXPECT_EQ(untimed, (std::set<std::pair<std::string, std::string>>{
                         {"bfs/direction-optimizing", "levels-and-ids"},
                         {"bfs/hybrid-gpu", "levels"},
                         {"bfs/persistent", "levels-and-ids"}}));
  Json told = result();
  told["cells"][0]["untimed"] = "ids";
  const Json kept = read_result(write("told.json", told.dump()));
  EXPECT_EQ(kept["cells"][0]["untimed"], "ids");
  EXPECT_FALSE(kept["cells"][1].contains("untimed")) << "a search that left nothing";
}

TEST_F(StoredTest, ValuesThatWereJudgedHaveTheirUnits) {
  Json older = judged_result();
  Json& part = older["verdicts"][0]["parts"][0];
  part["metric"] = "memory.accounted_bytes";
  const Json ratio = part["measured"][0];
  Json value = ratio;
  value["denominator"] = nullptr;
  part["measured"] = {value, ratio, value};
  part["measured"][2]["metric"] = "wall_ns";
  const Json read = read_result(write("older.json", older.dump()));
  std::vector<std::string> units;
  for (const Json& measured : read["verdicts"][0]["parts"][0]["measured"]) {
    units.push_back(measured["unit"]);
  }
  EXPECT_EQ(units, (std::vector<std::string>{"bytes", "", "ns"}));
}

TEST_F(StoredTest, DamageInsideIsRefused) {
  const auto said = [&](const std::string& pointer, const Json& value) {
    Json damaged = result();
    damaged[Json::json_pointer(pointer)] = value;
    const fs::path file = write("damaged.json", damaged.dump());
    const std::string text = refusal(file);
    const std::string begin = file.string() + ": is damaged: ";
    EXPECT_TRUE(text.starts_with(begin)) << text;
    return text.substr(std::min(begin.size(), text.size()));
  };
  EXPECT_TRUE(said("/cells/1/block_count", "six").starts_with("cells[1].block_count: "));
  EXPECT_TRUE(said("/cells/0/wall_ns/median", "fast").starts_with("cells[0].wall_ns.median: "));
  EXPECT_TRUE(said("/not_measured/1", {{"code", "crash"}}).starts_with("not_measured[1]: "));
  EXPECT_TRUE(said("/warnings", nullptr).starts_with("warnings: "));
  EXPECT_TRUE(said("/nonsense", 1).starts_with("the whole: "));
}

TEST_F(StoredTest, AChangedValueIsFoundWhereverItIs) {
  const Json whole = judged_result();
  const Json flat = whole.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    if (pointer.starts_with("/experiment/figure/")) continue;  // a copy from the experiment's file
    Json changed = whole;
    changed[Json::json_pointer(pointer)] = Json::array({Json::object({{"changed", true}})});
    EXPECT_NE(schema_fault(changed), "") << pointer;
  }
}

TEST_F(StoredTest, PublishedResultsAreValid) {
  std::size_t count = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(BELLMARK_TEST_SOURCE_DIR "/results/published")) {
    if (!entry.path().string().ends_with(".json.gz") || !begins_as_result(entry.path())) continue;
    EXPECT_EQ(refusal(entry.path()), "");
    ++count;
  }
  EXPECT_GT(count, 100U);
}

}  // namespace
}  // namespace bellmark::run
