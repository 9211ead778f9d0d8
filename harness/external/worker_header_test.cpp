// include/bellmark/worker.hpp: its messages, and the examples, whose answers are certified.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "base/test_folder.hpp"
#include "graph/dimacs.hpp"
#include "harness/external/wire_session.hpp"
#include "include/bellmark/worker.hpp"

namespace bellmark::external {
namespace {

using std::chrono::seconds;

/// Keeps its requests, and gives the answers that a test sets.
struct ToldProgram {
  worker::Graph graph;
  worker::Query query;
  worker::Answer told;

  void prepare(const worker::Graph& given) { graph = given; }
  std::chrono::nanoseconds answer(const worker::Query& asked) {
    query = asked;
    if (asked.source == 99) throw std::runtime_error("no \"such\"\nvertex");
    return std::chrono::microseconds(3);
  }
  void extract(worker::Answer& answer) const { answer = told; }
};

struct SilentProgram {
  void prepare(const worker::Graph&) {}
  void answer(const worker::Query&) {}
  void extract(worker::Answer&) const {}
};

struct Said {
  int code;
  std::string text;
};

template <class Program>
Said conversation(Program& program, const std::string& requests) {
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  const File in(std::tmpfile(), std::fclose);
  const File out(std::tmpfile(), std::fclose);
  std::fputs(requests.c_str(), in.get());
  std::rewind(in.get());
  const worker::Identity identity{"told", "1.2", {"sssp", "p2p"}};
  const int code =
      worker::detail::Conversation<Program>(in.get(), out.get(), program, identity).serve();
  std::rewind(out.get());
  std::string text;
  for (int c = std::fgetc(out.get()); c != EOF; c = std::fgetc(out.get())) {
    text += static_cast<char>(c);
  }
  return {code, text};
}

constexpr const char* kGreeting = R"({"hello":{"version":1,"problem":"sssp"}})"
                                  "\n";
constexpr const char* kGreeted =
    R"({"hello":{"version":1,"name":"told","program_version":"1.2","forms":["text","binary"]}})"
    "\n";

TEST(WorkerHeader, UnderstandsRequests) {
  ToldProgram program;
  const Said said = conversation(
      program,
      std::string(kGreeting) +
          R"( { "prepare" : {"graph":"/a\"\\\/b\u00e9\ud83d\ude00.gr", "format":"gr", )"
          R"("later":[1,{"a":[]},null],"first_vertex":0,"settings":{"threads":"2","more":{}}}} )"
          "\n"
          R"({"query":{"source":5,"target":7,"later":true}})"
          "\n");
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.text,
            std::string(kGreeted) + "{\"prepared\":{}}\n{\"answered\":{\"time_ns\":3000}}\n");
  EXPECT_EQ(program.graph.problem, "sssp");
  EXPECT_EQ(program.graph.file, "/a\"\\/b\u00e9\U0001F600.gr");
  EXPECT_EQ(program.graph.format, "gr");
  EXPECT_EQ(program.graph.first_vertex, 0);
  EXPECT_EQ(program.graph.setting("threads", "1"), "2");
  EXPECT_EQ(program.graph.setting("delta", "1"), "1");
  EXPECT_EQ(program.query.source, 5);
  EXPECT_EQ(program.query.target, 7);
}

TEST(WorkerHeader, VerticesCountFromZero) {
  const TestFolder folder;
  ToldProgram program;
  program.told = {{0, 7, worker::kUnreached}, {worker::kNone, 0, worker::kNone}, {}};
  const auto extracted = [&](const std::string& form) {
    const std::string file = (folder / form).string();
    const Said said =
        conversation(program, std::string(kGreeting) +
                                  R"({"prepare":{"graph":"/g","format":"gr","first_vertex":1}})"
                                  "\n"
                                  R"({"query":{"source":1}})"
                                  "\n"
                                  R"({"extract":{"file":")" +
                                  file + R"(","form":")" + form + "\"}}\n");
    EXPECT_EQ(said.code, 0) << said.text;
    return file;
  };
  EXPECT_EQ(TestFolder::read(extracted("text")), "0 -\n7 1\ninf -\n");
  EXPECT_EQ(program.query.source, 0);
  EXPECT_EQ(program.query.target, worker::kNone);
  const AnswerText tree = read_wire_answer(extracted("binary"), {WireForm::binary, 3, 1, false});
  EXPECT_EQ(tree.distances, (std::vector<Distance>{0, 7, kUnreached}));
  EXPECT_EQ(tree.predecessors, (std::vector<Vertex>{kNoVertex, 0, kNoVertex}));
  program.told = {{12}, {}, {0, 2}};
  EXPECT_EQ(TestFolder::read(extracted("text")), "12\n1\n3\n");
  const AnswerText pair = read_wire_answer(extracted("binary"), {WireForm::binary, 3, 1, true});
  EXPECT_EQ(pair.distance, 12);
  EXPECT_EQ(pair.route, (std::vector<Vertex>{0, 2}));
}

TEST(WorkerHeader, WithoutATimeItSaysNone) {
  SilentProgram program;
  const Said said = conversation(program, std::string(kGreeting) + R"({"query":{"source":1}})"
                                                                   "\n");
  EXPECT_EQ(said.text, std::string(kGreeted) + "{\"answered\":{}}\n");
}

TEST(WorkerHeader, FaultsAreSaid) {
  const std::string ready = std::string(kGreeting) +
                            R"({"prepare":{"graph":"/g","format":"gr","first_vertex":0}})"
                            "\n";
  const auto error_of = [](const std::string& requests) {
    ToldProgram program;
    const Said said = conversation(program, requests + "\n");
    EXPECT_EQ(said.code, 1) << said.text;
    const auto last = said.text.rfind("{\"error\":{\"message\":\"");
    EXPECT_NE(last, std::string::npos) << said.text;
    return last == std::string::npos ? "" : said.text.substr(last + 21);
  };
  EXPECT_EQ(error_of(ready + R"({"query":{"source":99}})"), "no \\\"such\\\"\\u000avertex\"}}\n");
  EXPECT_EQ(error_of(R"({"hello":{"version":2,"problem":"sssp"}})"),
            "it speaks no version of the wire but 1\"}}\n");
  EXPECT_EQ(error_of(R"({"hello":{"version":1,"problem":"bfs"}})"),
            "told does not answer the problem 'bfs'\"}}\n");
  EXPECT_EQ(error_of(R"({"prepare":{}})"), "the first message is no 'hello'\"}}\n");
  EXPECT_EQ(error_of(std::string(kGreeting) + R"({"later":{}})"), "the message is not known\"}}\n");
  EXPECT_EQ(error_of(ready + R"({"query":{"source":"1"}})"),
            "the whole number 'source' is missing\"}}\n");
  EXPECT_EQ(error_of(ready + R"({"extract":{"file":"/no/such","form":"xml"}})"),
            "the form 'xml' is not known\"}}\n");
  EXPECT_EQ(error_of(ready + R"({"extract":{"file":"/no/such","form":"text"}})"),
            "/no/such can't be written\"}}\n");
  for (const std::string nonsense : {"nonsense", "", "{", "{\"a\"}", "{} {}", "{\"hello\":{}",
                                     "\"\\u12\"", "\"\\ud83dx\"", "[1,", "{\"a\":}", "\"open"}) {
    EXPECT_FALSE(error_of(nonsense).empty()) << nonsense;
  }
  EXPECT_EQ(error_of(std::string(100, '[')), "the message nests too deep\"}}\n");
  EXPECT_EQ(error_of(std::string(70000, ' ')), "the message is too long\"}}\n");
}

const std::vector<std::string> kExample = {BELLMARK_EXAMPLE_PROGRAM};
const std::vector<std::string> kPythonExample = {"python3",
                                                 BELLMARK_TEST_SOURCE_DIR "/examples/program.py"};

/// Asks some sources of a grid, and has every answer certified.
void certify_example(const std::vector<std::string>& words, const std::string& name,
                     bool times_itself) {
  const TestFolder folder;
  const Graph graph = Sssp::open("grid:rows=12,columns=9,keep=0.8,lengths=uniform:1..100,seed=3");
  const std::string file = (folder / "grid.gr").string();
  write_gr(graph, file);
  WireSession session(words, {}, seconds(60));
  const WireHello hello = session.hello("sssp");
  EXPECT_EQ(hello.name, name);
  EXPECT_EQ(hello.program_version, "1.0");
  EXPECT_EQ(hello.form, WireForm::binary);
  session.prepare({file, "gr", 1, {}});
  Sssp::Certificate certificate(graph);
  for (const Vertex source : {0U, 50U, 107U}) {
    const WireTimes times = session.ask({source + 1, {}});
    EXPECT_EQ(times.program_ns.has_value(), times_itself);
    for (const WireForm form : {WireForm::text, WireForm::binary}) {
      const std::string answer = (folder / "answer").string();
      session.extract(answer, form);
      AnswerText text = read_wire_answer(answer, {form, graph.vertex_count(), 1, false});
      const auto fault =
          certificate.check({source}, {std::move(text.distances), std::move(text.predecessors)});
      EXPECT_EQ(fault, std::nullopt);
    }
  }
  session.close();
}

TEST(WorkerHeader, TheExampleIsRight) { certify_example(kExample, "plain-dijkstra", true); }

TEST(WorkerHeader, TheExampleInPythonIsRight) {
  certify_example(kPythonExample, "python-dijkstra", false);
}

TEST(WorkerHeader, ExamplesRefuseOtherFormats) {
  for (const std::vector<std::string>& words : {kExample, kPythonExample}) {
    WireSession session(words, {}, seconds(60));
    session.hello("sssp");
    try {
      session.prepare({"/graph.mtx", "mtx", 1, {}});
      ADD_FAILURE() << "another format passes";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("it reads DIMACS text (gr) alone"),
                std::string::npos)
          << error.what();
    }
  }
}

struct ChattyProgram : SilentProgram {
  void prepare(const worker::Graph&) { std::puts("reading the graph"); }
};

TEST(WorkerHeader, WhatAProgramPrintsIsItsLog) {
  const TestFolder folder;
  const std::string in =
      folder
          .write("in", std::string(kGreeting) +
                           R"({"prepare":{"graph":"/g","format":"gr","first_vertex":1}})"
                           "\n")
          .string();
  const std::string out = (folder / "out").string();
  const std::string log = (folder / "log").string();
  const pid_t child = fork();
  if (child == 0) {
    if (std::freopen(in.c_str(), "r", stdin) == nullptr ||
        std::freopen(out.c_str(), "w", stdout) == nullptr ||
        std::freopen(log.c_str(), "w", stderr) == nullptr) {
      _exit(2);
    }
    ChattyProgram program;
    const int code = serve(program, {"told", "1.2", {"sssp"}});
    std::fflush(stdout);
    _exit(code);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(TestFolder::read(out), std::string(kGreeted) + "{\"prepared\":{}}\n");
  EXPECT_EQ(TestFolder::read(log), "reading the graph\n");
}

}  // namespace
}  // namespace bellmark::external
