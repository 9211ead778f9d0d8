#include "harness/machine/build_facts.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "base/pattern.hpp"
#include "base/test_folder.hpp"
#include "base/text.hpp"

namespace bellmark::machine {
namespace {

using std::chrono::seconds;

TEST(BuildFacts, AreWhatProvenanceNeeds) {
  const auto facts = build_facts();
  for (const char* key : {"version", "compiler", "build_type"}) {
    EXPECT_FALSE(facts.at(key).get<std::string>().empty()) << key;
  }
  EXPECT_EQ(facts.at("git_sha").is_null(), facts.at("git_dirty").is_null());
  EXPECT_EQ(facts.at("nvcc").is_null(), facts.at("cuda_architectures").is_null());
  const bool has_cuda = !facts.at("nvcc").is_null();
  const auto is_version = [](const std::string& text) {
    return !find_pattern("^[0-9]+\\.[0-9]+(\\.[0-9]+)?$", text).empty();
  };
  for (const auto& [name, text] : facts.at("libraries").items()) {
    ASSERT_TRUE(text.is_string()) << name;
    EXPECT_FALSE(text.get<std::string>().empty()) << name;
  }
  EXPECT_EQ(is_version(facts.at("libraries").at("cuda-runtime")), has_cuda);
  EXPECT_TRUE(is_version(facts.at("libraries").at("zlib")));
}

/// cmake/Revision.cmake in a folder that the test makes.
class Revision : public testing::Test {
 protected:
  void SetUp() override {
    if (!run({"cmake", "--version"}) || !run({"git", "--version"})) {
      GTEST_SKIP() << "no cmake or no git here";
    }
    std::filesystem::create_directory(source_);
    std::ofstream(source_ / "file") << "1\n";
  }

  static bool run(const std::vector<std::string>& words) {
    const Captured captured = capture_output(words, seconds(60));
    return captured.status && captured.status->is_success();
  }
  void git(std::vector<std::string> words) const {
    words.insert(words.begin(), {"git", "-C", source_.string(), "-c", "user.name=Test", "-c",
                                 "user.email=test@example.org"});
    EXPECT_TRUE(run(words)) << join(words, " ");
  }
  void commit() const {
    git({"init", "-q"});
    git({"add", "file"});
    git({"commit", "-q", "-m", "One"});
  }
  std::string head() const {
    return std::string(trim(
        capture_output({"git", "-C", source_.string(), "rev-parse", "HEAD"}, seconds(60)).output));
  }
  /// The source file that Revision.cmake writes.
  std::string written(const std::filesystem::path& source) const {
    const std::string script = BELLMARK_TEST_SOURCE_DIR "/cmake/Revision.cmake";
    EXPECT_TRUE(run(
        {"cmake", "-DSOURCE=" + source.string(), "-DOUTPUT=" + output_.string(), "-P", script}));
    return TestFolder::read(output_);
  }
  static std::string lines(const std::string& sha, bool dirty) {
    return "kBuiltCommit = \"" + sha +
           "\";\nconst bool kBuiltDirty = " + (dirty ? "true" : "false") + ";";
  }

  TestFolder folder_;
  std::filesystem::path source_ = folder_ / "source";
  std::filesystem::path output_ = folder_ / "revision.cpp";
};

TEST_F(Revision, IsTheCommitAndWhetherFilesDiffer) {
  commit();
  ASSERT_EQ(head().size(), 40U);
  EXPECT_NE(written(source_).find(lines(head(), false)), std::string::npos) << written(source_);
  std::ofstream(source_ / "untracked") << "1\n";
  EXPECT_NE(written(source_).find(lines(head(), false)), std::string::npos);
  std::ofstream(source_ / "file") << "2\n";
  EXPECT_NE(written(source_).find(lines(head(), true)), std::string::npos) << written(source_);
}

TEST_F(Revision, IsUnknownOutsideAGitTree) {
  EXPECT_NE(written(source_).find(lines("", false)), std::string::npos) << written(source_);
  // A tree that was unpacked within another git tree does not belong to it.
  commit();
  std::filesystem::create_directory(source_ / "unpacked");
  EXPECT_NE(written(source_ / "unpacked").find(lines("", false)), std::string::npos)
      << written(source_ / "unpacked");
}

TEST_F(Revision, IsWrittenOnlyWhenItChanged) {
  commit();
  written(source_);
  const auto before = std::filesystem::last_write_time(output_) - std::chrono::hours(1);
  std::filesystem::last_write_time(output_, before);
  written(source_);
  EXPECT_EQ(std::filesystem::last_write_time(output_), before);
  std::ofstream(source_ / "file") << "2\n";
  written(source_);
  EXPECT_NE(std::filesystem::last_write_time(output_), before);
}

}  // namespace
}  // namespace bellmark::machine
