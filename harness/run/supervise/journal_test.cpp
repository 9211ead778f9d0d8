// The journal after clean ends, kills and damage.
#include "harness/run/supervise/journal.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>

#include "base/error.hpp"

namespace bellmark::run {
namespace {

namespace fs = std::filesystem;

class JournalTest : public testing::Test {
 protected:
  JournalTest() { fs::create_directories(folder_); }
  ~JournalTest() override { fs::remove_all(folder_); }

  void write(const std::string& text) const { std::ofstream(file_, std::ios::binary) << text; }
  std::string text() const {
    std::ostringstream text;
    text << std::ifstream(file_, std::ios::binary).rdbuf();
    return text.str();
  }

  fs::path folder_ = fs::path(testing::TempDir()) /
                     ("bellmark_journal_" + std::to_string(::getpid()) + "_" +
                      testing::UnitTest::GetInstance()->current_test_info()->name());
  fs::path file_ = folder_ / "replicates.jsonl";
};

TEST_F(JournalTest, AppendedLinesAreThereAgain) {
  {
    Journal journal(file_);
    EXPECT_TRUE(journal.replicates().empty());
    journal.append({{"task", "timed/0/0"}, {"value", 0.1}});
    journal.append({{"task", "two\nlines"}});
    EXPECT_EQ(journal.replicates().size(), 2U);
  }
  Journal journal(file_);
  ASSERT_EQ(journal.replicates().size(), 2U);
  EXPECT_EQ(journal.replicates()[0].dump(), R"({"task":"timed/0/0","value":0.1})");
  EXPECT_EQ(journal.replicates()[1].at("task"), "two\nlines");
  journal.append({{"task", "third"}});
  EXPECT_EQ(Journal(file_).replicates().size(), 3U);
}

TEST_F(JournalTest, UnfinishedLastLineIsCutOff) {
  write("{\"task\":\"a\"}\n{\"task\":\"b\"}\n{\"task\":\"c");
  Journal journal(file_);
  EXPECT_EQ(journal.replicates().size(), 2U);
  EXPECT_EQ(journal.damage(), "");
  EXPECT_EQ(text(), "{\"task\":\"a\"}\n{\"task\":\"b\"}\n");
  journal.append({{"task", "d"}});
  EXPECT_EQ(text(), "{\"task\":\"a\"}\n{\"task\":\"b\"}\n{\"task\":\"d\"}\n");
}

TEST_F(JournalTest, WholeLineWithoutItsNewlineIsUnfinishedToo) {
  write("{\"task\":\"a\"}\n{\"task\":\"b\"}");
  EXPECT_EQ(Journal(file_).replicates().size(), 1U);
  EXPECT_EQ(text(), "{\"task\":\"a\"}\n");
}

TEST_F(JournalTest, GarbageEndsWhatIsTrusted) {
  for (const std::string garbage : {"garbage", "42", "[1]", "", "{\"task\":", "\xff\xfe"}) {
    write("{\"task\":\"a\"}\n" + garbage + "\n{\"task\":\"b\"}\n{\"task\":\"c");
    Journal journal(file_);
    EXPECT_EQ(journal.replicates().size(), 1U) << garbage;
    EXPECT_EQ(journal.damage(),
              file_.string() + ":2: is damaged; what it and 1 later lines held is measured again")
        << garbage;
    EXPECT_EQ(text(), "{\"task\":\"a\"}\n") << garbage;
  }
}

TEST_F(JournalTest, FullDiskLeavesTheLinesBefore) {
  Journal journal(file_);
  journal.append({{"task", "a"}});
  // A file size limit in the middle of the next line stands for a full disk.
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  const rlimit limit{20, old_limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  EXPECT_THROW(journal.append({{"task", "a line that is longer"}}), MachineError);
  setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(journal.replicates().size(), 1U);
  EXPECT_EQ(text(), "{\"task\":\"a\"}\n");
  journal.append({{"task", "b"}});
  EXPECT_EQ(Journal(file_).replicates().size(), 2U);
}

TEST_F(JournalTest, FolderThatIsNotThere) {
  EXPECT_THROW(Journal(folder_ / "missing" / "replicates.jsonl"), MachineError);
}

}  // namespace
}  // namespace bellmark::run
