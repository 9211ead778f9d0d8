// Answers of programs on the wire: right, wrong and incomplete.
#include "harness/external/wire_answer.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/test_folder.hpp"

namespace bellmark::external {
namespace {

constexpr std::int64_t kInfinite = std::numeric_limits<std::int64_t>::max();

std::string bytes_of(const std::vector<std::int64_t>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), 8 * numbers.size()};
}

AnswerText answer_of(const std::string& bytes, const WireAnswerShape& shape) {
  const TestFolder folder;
  return read_wire_answer(folder.write("answer", bytes).string(), shape);
}

/// The fault, without the file's name.
std::string fault_of(const std::string& bytes, const WireAnswerShape& shape) {
  try {
    answer_of(bytes, shape);
  } catch (const InputError& error) {
    const std::string text = error.what();
    const std::string name = "/answer:";
    return text.substr(text.find(name) + name.size());
  }
  return "right";
}

TEST(WireAnswer, TextIsRead) {
  const AnswerText tree = answer_of("0 -\n7 1\ninf -\n", {WireForm::text, 3, 1, false});
  EXPECT_EQ(tree.distances, (std::vector<Distance>{0, 7, kUnreached}));
  EXPECT_EQ(tree.predecessors, (std::vector<Vertex>{kNoVertex, 0, kNoVertex}));
  const AnswerText bare = answer_of("0\n-7\r\ninf", {WireForm::text, 3, 1, false});
  EXPECT_EQ(bare.distances, (std::vector<Distance>{0, -7, kUnreached}));
  EXPECT_TRUE(bare.predecessors.empty());
  const AnswerText pair = answer_of("12\n0\n2\n", {WireForm::text, 3, 0, true});
  EXPECT_EQ(pair.distance, 12);
  EXPECT_EQ(pair.route, (std::vector<Vertex>{0, 2}));
  EXPECT_EQ(answer_of("inf\n", {WireForm::text, 3, 0, true}).distance, kUnreached);
}

TEST(WireAnswer, NumbersAreRead) {
  const AnswerText tree =
      answer_of(bytes_of({0, -1, kInfinite, -1, 1, -1}), {WireForm::binary, 3, 1, false});
  EXPECT_EQ(tree.distances, (std::vector<Distance>{0, -1, kUnreached}));
  EXPECT_EQ(tree.predecessors, (std::vector<Vertex>{kNoVertex, 0, kNoVertex}));
  EXPECT_TRUE(answer_of(bytes_of({0, 7, 9}), {WireForm::binary, 3, 1, false}).predecessors.empty());
  const AnswerText pair = answer_of(bytes_of({12, 0, 2}), {WireForm::binary, 3, 0, true});
  EXPECT_EQ(pair.distance, 12);
  EXPECT_EQ(pair.route, (std::vector<Vertex>{0, 2}));
}

TEST(WireAnswer, NumbersAreNotTakenForGzip) {
  const AnswerText answer = answer_of(bytes_of({0x8b1f, 0}), {WireForm::binary, 2, 1, false});
  EXPECT_EQ(answer.distances, (std::vector<Distance>{0x8b1f, 0}));
}

TEST(WireAnswer, NoAnswerIsEndless) {
  const std::string lines = fault_of(std::string(300, '1'), {WireForm::text, 3, 1, false});
  EXPECT_EQ(lines,
            " it has 300 bytes, and no answer has more than 256; write the answer to one query "
            "alone");
  EXPECT_EQ(fault_of("4\n1\n2\n3\n1\n", {WireForm::text, 3, 1, true}),
            "5: the route has more vertices than the graph; write each vertex of it once");
}

TEST(WireAnswer, FaultsOfTextAreNamedWithTheirLine) {
  const auto fault = [](const std::string& text) {
    return fault_of(text, {WireForm::text, 3, 1, false});
  };
  EXPECT_EQ(fault("0 -\n7 1\n"), " it has 2 distances, not 3; write one for each vertex");
  EXPECT_EQ(fault(""), " it has 0 distances, not 3; write one for each vertex");
  EXPECT_EQ(fault("0\n1\n2\n3\n"), "4: more lines than the 3 vertices; write one for each");
  EXPECT_EQ(fault("0\n1 1\n2\n"),
            "2: a predecessor, where lines before have none; give all vertices one ('-' for none), "
            "or no vertex");
  EXPECT_EQ(fault("0 -\n1\n2 1\n"),
            "2: the predecessor is missing; give all vertices one ('-' for none), or no vertex");
  EXPECT_EQ(
      fault("0 -\n1 4\n2 1\n"),
      "2: '4' is not a vertex: they go from 1 to 3; number vertices as the graph's file does");
  EXPECT_EQ(fault("0 -\n1 0\n2 1\n").substr(0, 24), "2: '0' is not a vertex: ");
  EXPECT_EQ(fault("0 -\n1 -1\n2 1\n").substr(0, 3), "2: ");
  for (const char* word : {"x", "1.5", "99999999999999999999", "infinite", "1e3"}) {
    EXPECT_EQ(fault("0\n" + std::string(word) + "\n2\n").substr(0, 3), "2: ") << word;
  }
  EXPECT_EQ(fault("0 - 7\n1 1\n2 1\n").substr(0, 3), "1: ");
  const WireAnswerShape pair{WireForm::text, 3, 1, true};
  EXPECT_EQ(fault_of("", pair), " it has 0 distances, not 1; write one for each vertex");
  EXPECT_EQ(fault_of("7 1\n", pair),
            " its first line has more than a distance; write the route below it");
  EXPECT_EQ(fault_of("7\n1\n4\n", pair).substr(0, 24), "3: '4' is not a vertex: ");
}

TEST(WireAnswer, FaultsOfNumbersAreNamedWithTheirPlace) {
  const WireAnswerShape shape{WireForm::binary, 3, 0, false};
  EXPECT_EQ(fault_of("123", shape),
            " 3 bytes are no numbers of 8 bytes each; write 64-bit integers, little-endian");
  EXPECT_EQ(fault_of(bytes_of({0, 1}), shape),
            " it has 2 distances, not 3; write one for each vertex");
  EXPECT_EQ(fault_of(bytes_of({0, 1, 2, -1}), shape),
            " it has 1 predecessors, not 3; write one for each vertex, or none at all");
  EXPECT_EQ(
      fault_of(bytes_of({0, 1, 2, -1, 0, 3}), shape),
      " number 6: '3' is not a vertex: they go from 0 to 2; number vertices as the graph's file "
      "does, and write -1 for none");
  EXPECT_EQ(fault_of(bytes_of({5, 0, -1}), {WireForm::binary, 3, 0, true}).substr(0, 10),
            " number 3:");
}

TEST(WireAnswer, AMissingFileIsNamed) {
  EXPECT_THROW(read_wire_answer("/no/such", {WireForm::text, 3, 1, false}), InputError);
  EXPECT_THROW(read_wire_answer("/no/such", {WireForm::binary, 3, 1, false}), InputError);
}

}  // namespace
}  // namespace bellmark::external
