#include "harness/report/fitted_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/terminal.hpp"
#include "base/text.hpp"

namespace bellmark::report {
namespace {

constexpr std::size_t kAny = std::string::npos;

std::size_t widest(const std::string& text) {
  std::size_t width = 0;
  for (const std::string& line : split(text, '\n')) width = std::max(width, display_width(line));
  return width;
}

TEST(Fitted, SaysOnceWhatAllRowsShare) {
  EXPECT_EQ(fitted({{"cell", "time", "samples", "answers"},
                    {"a", "1 s", "6 x 2", "certified"},
                    {"b", "2 s", "6 x 2", "certified"}},
                   "  ", kAny),
            "  samples: 6 x 2; answers: certified\n"
            "  cell  time\n"
            "  a     1 s\n"
            "  b     2 s\n");
  EXPECT_EQ(fitted({{"cell", "time"}, {"a", "1 s"}}, "", kAny), "cell  time\na     1 s\n")
      << "one row shares nothing";
  const std::vector<std::vector<std::string>> alike = {
      {"cell", "ratio"}, {"a", "1.02"}, {"b", "1.02"}};
  EXPECT_EQ(fitted(alike, "", kAny, 2), "cell  ratio\na     1.02\nb     1.02\n")
      << "what was measured belongs to its row";
}

TEST(Fitted, NamesAreWholeWhereThereIsRoom) {
  const std::vector<std::vector<std::string>> rows = {{"cell", "time"},
                                                      {"v:device=gpu,scope=auto,delta=0", "1 s"},
                                                      {"v:device=gpu,scope=auto,delta=100", "2 s"}};
  EXPECT_NE(fitted(rows, "", kAny).find("v:device=gpu,scope=auto,delta=0 "), std::string::npos);
  EXPECT_EQ(fitted(rows, "", 30),
            "all: v:device=gpu, scope=auto\n"
            "cell       time\n"
            "delta=0    1 s\n"
            "delta=100  2 s\n");
}

TEST(Fitted, ANameIsNeverEmpty) {
  EXPECT_NE(fitted({{"cell", "time"}, {"variant", "1 s"}, {"variant,arity=4", "2 s"}}, "", 12)
                .find("variant\n"),
            std::string::npos);
}

TEST(Fitted, CutsNamesInTheMiddle) {
  EXPECT_EQ(fitted({{"cell", "time"},
                    {"the-first-of-all-the-long-names", "1 s"},
                    {"one-more-of-all-the-long-names", "2 s"}},
                   "  ", 32),
            "  cell                      time\n"
            "  the-first-of\u2026-long-names  1 s\n"
            "  one-more-of-\u2026-long-names  2 s\n");
}

TEST(Fitted, OneRowStandsBelowItsName) {
  EXPECT_EQ(fitted({{"cell", "time"}, {"the-first-of-all-the-long-names", "1 s"}}, "", 32),
            "cell\n  time\nthe-first-of-all-the-long-names\n  1 s\n");
}

TEST(Fitted, WhatFitsInNoColumnsIsListed) {
  EXPECT_EQ(
      fitted({{"cell", "time of a query", "answers"}, {"a-name", "1 s", "certified"}}, "", 24),
      "a-name\n  time of a query: 1 s;\n  answers: certified\n");
}

TEST(Fitted, NamesThatWouldLookAlikeStayWhole) {
  const std::string text = fitted({{"cell", "time"},
                                   {"the-same-beginning-1-the-same-end", "1 s"},
                                   {"the-same-beginning-2-the-same-end", "2 s"}},
                                  "", 33);
  EXPECT_EQ(text,
            "cell\n  time\n"
            "the-same-beginning-1-the-same-end\n  1 s\n"
            "the-same-beginning-2-the-same-end\n  2 s\n");
}

TEST(Fitted, NothingIsWiderThanTheTerminal) {
  const std::vector<std::vector<std::string>> rows = {
      {"cell", "time of a query", "against the baseline", "answers"},
      {"graph=\u6700\u77ed\u8def,lengths=log-spread:10..1000000, thread-creation=all-vertices",
       "119 ms [109, 121]", "baseline", "certified"},
      {"graph=\u6700\u77ed\u8def,lengths=log-spread:10..1000000, thread-creation=adaptive",
       "315 ms [314, 317]", "2.656 [2.615, 2.878] SLOWER", "not validated"}};
  for (const std::size_t columns : {70, 80, 100, 120, 200}) {
    const std::string text = fitted(rows, "  ", columns);
    EXPECT_LE(widest(text), columns) << text;
    for (const char* part : {"119 ms [109, 121]", "2.656 [2.615, 2.878] SLOWER", "adaptive"}) {
      EXPECT_NE(text.find(part), std::string::npos) << columns;
    }
  }
}

TEST(Fitted, AnythingIsShownAndNothingObeyed) {
  const std::string text = fitted({{"cell", "time"}, {"\x1b[31m\n", "1 s"}}, "", kAny);
  EXPECT_EQ(text, "cell          time\n\\x1b[31m\\x0a  1 s\n");
}

}  // namespace
}  // namespace bellmark::report
