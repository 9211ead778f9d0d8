// The line of progress, on a terminal that the test opens.
#include "harness/run/session/console_progress.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <optional>
#include <string>

#include "base/child_process.hpp"

namespace bellmark::run {
namespace {

/// Makes standard error a terminal during its lifetime.
class Terminal {
 public:
  Terminal() : kept_(dup(STDERR_FILENO)), ours_(posix_openpt(O_RDWR | O_NOCTTY)) {
    EXPECT_EQ(grantpt(ours_.get()), 0);
    EXPECT_EQ(unlockpt(ours_.get()), 0);
    const Descriptor its(open(ptsname(ours_.get()), O_RDWR | O_NOCTTY));
    EXPECT_GE(its.get(), 0);
    dup2(its.get(), STDERR_FILENO);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() { dup2(kept_.get(), STDERR_FILENO); }

  void set_columns(std::size_t columns) const {
    winsize size{};
    size.ws_col = static_cast<unsigned short>(columns);
    size.ws_row = 24;
    ASSERT_EQ(ioctl(ours_.get(), TIOCSWINSZ, &size), 0);
  }

  /// The text that was written since the last call.
  std::string text() const {
    std::string text;
    pollfd watched{ours_.get(), POLLIN, 0};
    while (poll(&watched, 1, 100) > 0) {
      char bytes[4096];
      const ssize_t count = read(ours_.get(), bytes, sizeof bytes);
      if (count <= 0) break;
      text.append(bytes, static_cast<std::size_t>(count));
    }
    return text;
  }

 private:
  Descriptor kept_;
  Descriptor ours_;
};

class Line : public testing::Test {
 protected:
  Line() {
    plan_.experiment.id = std::string(150, 'e');
    task_.pass = Pass::timed;
    if (const char* const columns = std::getenv("COLUMNS")) columns_ = columns;
    unsetenv("COLUMNS");
  }
  ~Line() override {
    unsetenv("COLUMNS");
    if (columns_) setenv("COLUMNS", columns_->c_str(), 1);
  }

  /// The drawn text, without the control characters that begin a line.
  std::string drawn(ConsoleProgress& progress) {
    progress.replicate(task_, 0, 12, 34.0);
    const std::string text = terminal_.text();
    EXPECT_TRUE(text.starts_with("\r\033[K")) << text;
    return text.substr(text.find('K') + 1);
  }
  /// The whole line.
  std::string whole() const { return plan_.experiment.id + "  1/12  timed block 1/6, 34 s left"; }

  Terminal terminal_;
  plan::Plan plan_;
  Task task_;
  std::optional<std::string> columns_;
};

TEST_F(Line, FitsTheTerminal) {
  ConsoleProgress progress(plan_, false);
  // The last column stays free. Every line asks for the width again: a window may change.
  for (const std::size_t columns : {60, 100, 200, 60}) {
    terminal_.set_columns(columns);
    EXPECT_EQ(drawn(progress), whole().substr(0, columns - 1)) << columns;
  }
}

TEST_F(Line, FitsWhatTheVariableSaysOfATerminalThatDoesNot) {
  ConsoleProgress progress(plan_, false);
  EXPECT_EQ(drawn(progress), whole().substr(0, 79));
  setenv("COLUMNS", "70", 1);
  EXPECT_EQ(drawn(progress), whole().substr(0, 69));
  for (const char* const nonsense : {"", "0", "-5", "80x"}) {
    setenv("COLUMNS", nonsense, 1);
    EXPECT_EQ(drawn(progress), whole().substr(0, 79)) << nonsense;
  }
  terminal_.set_columns(60);
  EXPECT_EQ(drawn(progress), whole().substr(0, 59));
}

TEST_F(Line, IsNotCutWithinACharacter) {
  plan_.experiment.id = "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9";
  ConsoleProgress progress(plan_, false);
  terminal_.set_columns(4);
  EXPECT_EQ(drawn(progress), "\u00e9\u00e9\u00e9");
}

TEST_F(Line, SaysWhichOfSeveralExperimentsAndWhenAllAreDone) {
  plan_.experiment.id = "p/T4";
  terminal_.set_columns(200);
  const Among among{3, 22, 100, 300};
  ConsoleProgress progress(plan_, false, among);
  EXPECT_EQ(drawn(progress),
            "experiment 3 of 22, 6 min left  p/T4  1/12  timed block 1/6, 34 s left");
  progress.replicate(task_, 0, 12, std::nullopt);
  EXPECT_NE(terminal_.text().find("experiment 3 of 22, 7 min left  p/T4  1/12  timed"),
            std::string::npos);
}

TEST_F(Line, SaysWhatPassItIsAndWhyABlockRunsAgain) {
  plan_.experiment.id = "p/T4";
  terminal_.set_columns(200);
  ConsoleProgress progress(plan_, false);
  task_.key = "timed/0" + kAgain;
  EXPECT_EQ(drawn(progress), "p/T4  1/12  timed block 1/6 again, it was disturbed, 34 s left");
  task_.pass = Pass::phases;
  EXPECT_EQ(drawn(progress), "p/T4  1/12  phases pass, 34 s left");
}

TEST(TimeLeft, InTheUnitThatAPersonWouldUse) {
  EXPECT_EQ(time_left_text(0.4), "0 s");
  EXPECT_EQ(time_left_text(89), "89 s");
  EXPECT_EQ(time_left_text(95), "2 min");
  EXPECT_EQ(time_left_text(3600), "60 min");
  EXPECT_EQ(time_left_text(7500), "2 h 5 min");
}

}  // namespace
}  // namespace bellmark::run
