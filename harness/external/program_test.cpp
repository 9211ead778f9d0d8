// Words of command lines, and invalid definitions.
#include "harness/external/program.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace bellmark::external {
namespace {

using Words = std::vector<std::string>;

Program mine() {
  Program program;
  program.name = "mine";
  program.problem = "sssp";
  program.command = {"./mine", "{source}"};
  return program;
}

template <class Change>
std::string fault(Change&& change) {
  Program program = mine();
  change(program);
  try {
    check_program(program);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no fault";
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Program, WordsAreSplitAsAShellSplitsThem) {
  EXPECT_EQ(split_words("./mine  -t 4\t{graph}"), (Words{"./mine", "-t", "4", "{graph}"}));
  EXPECT_EQ(split_words("a 'two words' \"it's\" x\\ y ''"),
            (Words{"a", "two words", "it's", "x y", ""}));
  EXPECT_EQ(split_words("a $HOME * ; | `b` $(c)"),
            (Words{"a", "$HOME", "*", ";", "|", "`b`", "$(c)"}));
  EXPECT_EQ(split_words("'a\\b'"), Words{"a\\b"});
  EXPECT_EQ(split_words("  "), Words{});
  EXPECT_THROW(split_words("a 'b"), InputError);
}

TEST(Program, ValuesAreFilledInOnce) {
  EXPECT_EQ(fill("-d{delta}:{graph}", {{"delta", "{graph}"}, {"graph", "g;x"}}), "-d{graph}:g;x");
  EXPECT_EQ(fill("{other} {} { {a b}", {{"a", "1"}}), "{other} {} { {a b}");
}

TEST(Program, JsonHoldsAllOfIt) {
  Program program = mine();
  program.command = {"./mine", "-d", "{delta}", "{answer}"};
  program.settings = {at_run_time(integer_key("delta", 1, 1, 9, "width"), true, "m")};
  program.environment = {{"A", "b"}};
  program.passed = {"C"};
  program.reported = {"t: ([0-9]+)", 1e6};
  program.input = "{graph}";
  program.needs = {Need::symmetric};
  program.check = Check::distances;
  program.form = Form::int32;
  program.unreached = {"7"};
  program.home = "/h";
  EXPECT_EQ(Json(Json(program).get<Program>()), Json(program));
}

TEST(Program, FaultyOnesAreNamed) {
  EXPECT_EQ(fault([](Program&) {}), "no fault");
  EXPECT_TRUE(says(fault([](Program& p) { p.name = "a/b"; }), "its name is not valid"));
  EXPECT_TRUE(says(fault([](Program& p) { p.problem = "sort"; }),
                   "problem 'sort' is not one that a program can answer"));
  EXPECT_TRUE(says(fault([](Program& p) { p.command.clear(); }), "has no words"));
  EXPECT_TRUE(says(fault([](Program& p) { p.command[0] = "{source}"; }), "is not one program"));
  EXPECT_TRUE(says(fault([](Program& p) { p.format = "gz"; }), "format 'gz' is unknown"));
  EXPECT_TRUE(says(fault([](Program& p) { p.first_vertex = 2; }), "neither 0 nor 1"));
  EXPECT_TRUE(says(fault([](Program& p) { p.command[1] = "{sauce}"; }), "did you mean 'source'?"));
  EXPECT_TRUE(says(fault([](Program& p) { p.command[1] = "{target}"; }), "which has none"));
  EXPECT_TRUE(
      says(fault([](Program& p) { p.settings = {at_run_time(integer_key("delta", 1, 1, 9, ""))}; }),
           "no word mentions {delta}"));
  EXPECT_TRUE(says(fault([](Program& p) { p.check = Check::levels; }), "does not go with sssp"));
  EXPECT_TRUE(says(fault([](Program& p) { p.check = Check::distances; }), "mentions {answer}"));
  EXPECT_TRUE(says(fault([](Program& p) { p.check = Check::command; }), "without a check_command"));
  EXPECT_TRUE(says(fault([](Program& p) { p.reported = {"[0-9]+", 1}; }), "has 0 groups"));
  EXPECT_TRUE(says(fault([](Program& p) {
                     p.reported = {"(", 1};
                   }),
                   "is not a regular expression"));
}

}  // namespace
}  // namespace bellmark::external
