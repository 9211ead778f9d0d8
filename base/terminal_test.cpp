#include "base/terminal.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/text.hpp"

namespace bellmark {
namespace {

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("arity=2"), 7U);
  EXPECT_EQ(display_width("\u00e9\u00df\u03bb"), 3U);
  EXPECT_EQ(display_width("e\u0301"), 1U) << "the accent stands on its letter";
  EXPECT_EQ(display_width("\u6700\u77ed\u8def\uff01"), 8U) << "wide characters";
  EXPECT_EQ(display_width("\U0001F600"), 2U);
  EXPECT_EQ(display_width("\xC3"), 1U) << "half a character at the end is read no further";
}

TEST(FirstColumns, EndBetweenCharacters) {
  EXPECT_EQ(first_columns("abc", 2), "ab");
  EXPECT_EQ(first_columns("abc", 3), "abc");
  EXPECT_EQ(first_columns("abc", 0), "");
  EXPECT_EQ(first_columns("\u00e9\u00e9\u00e9", 2), "\u00e9\u00e9");
  EXPECT_EQ(first_columns("\u6700\u77ed", 3), "\u6700") << "half a wide character doesn't fit";
  EXPECT_EQ(first_columns("e\u0301x", 1), "e\u0301");
}

TEST(Cut, SaysThatSomethingIsMissing) {
  EXPECT_EQ(cut_end("as long", 7), "as long");
  EXPECT_EQ(cut_end("not as long as this", 16), "not as long as\u2026");
  EXPECT_EQ(cut_end("not as long as this", 13), "not as long\u2026") << "no half words";
  EXPECT_EQ(cut_end("aaaaaaaaaaaaaaaaaaaaaaaa", 5), "aaaa\u2026");
  EXPECT_EQ(cut_end("one, two", 5), "one\u2026") << "no comma before the ellipsis";
  EXPECT_EQ(cut_middle("0123456789", 10), "0123456789");
  EXPECT_EQ(cut_middle("0123456789", 5), "01\u202689");
  EXPECT_EQ(cut_middle("0123456789", 4), "01\u20269");
  EXPECT_EQ(cut_middle("0123456789", 1), "\u2026");
  EXPECT_EQ(cut_middle("0123456789", 0), "");
}

TEST(Cut, FitsAtEveryWidthAndStaysUtf8) {
  const std::string text = "\u6700\u77ed\u8def: \u00e9t\u00e9, e\u0301 and \U0001F600 to the end";
  for (std::size_t columns = 0; columns < 40; ++columns) {
    for (const std::string& cut : {cut_end(text, columns), cut_middle(text, columns)}) {
      EXPECT_LE(display_width(cut), columns) << cut;
      EXPECT_TRUE(is_utf8(cut)) << columns;
    }
  }
}

TEST(Wrapped, IndentsWhatFollows) {
  EXPECT_EQ(wrapped("", "  ", 10), "");
  EXPECT_EQ(wrapped("one two three", "a: ", 10), "a: one two\n   three\n");
  EXPECT_EQ(wrapped("one two  three", "", 8), "one two\nthree\n") << "no blank at an end";
  EXPECT_EQ(wrapped("a-word-too-long b", "  ", 8), "  a-word-too-long\n  b\n");
  EXPECT_EQ(wrapped("v:a=1,b=2,c=3 d", "  ", 9), "  v:a=1,\n  b=2,c=3\n  d\n");
  EXPECT_EQ(wrapped("of (v:a=1,b=2); d", "", 10), "of (v:a=1,\nb=2); d\n");
  EXPECT_EQ(wrapped("a, too-long-a-word, b", "", 8), "a,\ntoo-long-a-word,\nb\n");
  EXPECT_EQ(wrapped("\u6700\u77ed \u8def", "", 6), "\u6700\u77ed\n\u8def\n");
}

}  // namespace
}  // namespace bellmark
