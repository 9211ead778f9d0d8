// Statements of a file that no cell can meet. tests/cli/experiment_check_test.py has each fault
// with its line. The faults here depend on the machine.
#include "harness/verdict/experiment_check.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace bellmark::verdict {
namespace {

std::string fault(const std::string& axes, const std::string& rest) {
  const std::string text =
      "id = 'e'\nvariants = ['sssp/dijkstra']\n[workload]\nproblem = 'sssp'\n"
      "queries = { kind = 'default' }\n[axes]\n" +
      axes + rest;
  try {
    check_experiment(plan::parse_experiment(text, "e.toml"),
                     machine::Topology::synthetic("pack:1 core:2 pu:1"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string claim(const std::string& numerator, const std::string& denominator) {
  return "[[claim]]\nid = 'C'\nkind = 'ratio'\ntext = 't'\nnumerator = { " + numerator +
         " }\ndenominator = { " + denominator + " }\npaper = { low = 2, high = 3 }\n";
}

TEST(ExperimentCheck, PlacesThatOtherMachinesHaveMayBeNamed) {
  const std::string each = "graph = ['g']\nplacement = ['each:core']\n";
  EXPECT_EQ(fault(each, claim("placement = 'core:1'", "placement = 'core:0'")), "no error");
  EXPECT_EQ(fault(each, claim("placement = 'core:9'", "placement = 'core:8'")), "no error");
  const std::string pairs = "graph = ['g']\nplacement = ['pair:shared-l2', 'core:7']\n";
  EXPECT_EQ(fault(pairs, claim("placement = 'pair:shared-l2'", "placement = 'core:7'")),
            "no error");
}

TEST(ExperimentCheck, APlaceIsNamedByTheWordThatCellsHave) {
  const std::string all = "graph = ['g', 'h']\nplacement = ['core:all']\n";
  EXPECT_EQ(fault(all, claim("graph = 'g', placement = 'core:0-1'", "graph = 'h'")), "no error");
  EXPECT_EQ(fault(all, claim("graph = 'g', placement = 'core:all'", "graph = 'h'")),
            "e.toml:13: no cell has placement = core:all; known: core:0-1");
}

TEST(ExperimentCheck, GraphsOfTheCommandLineMayBeAny) {
  EXPECT_EQ(fault("arity = [2, 4]\n", claim("arity = 2", "arity = 4, graph = 'my.gr'")),
            "no error");
}

TEST(ExperimentCheck, TwoCellsAreComparedThatAgreeOnTheRest) {
  const std::string axes = "graph = ['g']\narity = [2, 4]\nwidth = [32, 64]\n";
  const std::string exclude =
      "[[exclude]]\nwhere = { arity = 2, width = 64 }\nwhy = 'w'\n"
      "[[exclude]]\nwhere = { arity = 4, width = 32 }\nwhy = 'w'\n";
  EXPECT_EQ(fault(axes, claim("arity = 2", "arity = 4")), "no error");
  EXPECT_EQ(fault(axes + exclude, claim("arity = 2", "arity = 4")),
            "e.toml:20: no cells to compare: arity = 2 against arity = 4; two cells are compared "
            "that agree on every axis that neither names");
  EXPECT_EQ(fault(axes + exclude, claim("arity = 2, width = 32", "arity = 4, width = 64")),
            "no error");
}

TEST(ExperimentCheck, AFigureMayShowAKeyOfTheVariant) {
  const std::string axes = "graph = ['g']\n";
  EXPECT_EQ(fault(axes, "[figure]\nkind = 'bars'\nx = 'arity'\n"), "no error");
  EXPECT_EQ(
      fault(axes, "[figure]\nkind = 'bars'\nx = 'airty'\n"),
      "e.toml:10: 'figure.x' is 'airty', which is not an axis of this experiment; did you mean "
      "'arity'?");
}

}  // namespace
}  // namespace bellmark::verdict
