// The client's side of the programs' wire, against scripts that speak it well and badly, and the
// two examples.
#include "harness/external/wire_session.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>

#include "base/test_folder.hpp"

namespace bellmark::external {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr const char* kHello = R"(read line; echo '{"hello":{"version":1,"name":"n"}}';)";
constexpr const char* kPrepared = R"(read line; echo '{"prepared":{}}';)";

/// A shell script that greets and is ready, and then does `more`.
std::string ready_and(const std::string& more) { return std::string(kHello) + kPrepared + more; }

std::vector<std::string> shell(const std::string& script) { return {"sh", "-c", script}; }

void start(WireSession& session) {
  session.hello("sssp");
  session.prepare({"/graph.gr", "gr", 1, {}});
}

/// The error that ends a conversation of hello, prepare and two queries; "" if there is none.
std::string error_of(const std::string& script, ExitCode code,
                     milliseconds patience = seconds(30)) {
  try {
    WireSession session(shell(script), {}, patience);
    start(session);
    session.ask({5, {}});
    session.ask({6, {}});
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  return {};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool dies(pid_t id) {
  for (int i = 0; i < 3000; ++i) {
    if (kill(id, 0) != 0 && errno == ESRCH) return true;
    const std::string stat = TestFolder::read("/proc/" + std::to_string(id) + "/stat");
    if (contains(stat, ") Z ")) return true;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

pid_t written_id(const std::filesystem::path& file) {
  for (int i = 0; i < 3000; ++i) {
    if (const std::string text = TestFolder::read(file); contains(text, "\n")) {
      return std::stoi(text);
    }
    std::this_thread::sleep_for(milliseconds(10));
  }
  return -1;
}

TEST(WireSession, SaysWhatIsToBeSaid) {
  const TestFolder folder;
  const std::string heard = (folder / "heard").string();
  const std::string script =
      "exec 3>" + heard + R"(; say() { read -r line; echo "$line" >&3; echo "$1"; }
      say '{"hello":{"version":1,"name":"mine","program_version":"2.3","later":[1]}}'
      say '{"prepared":{}}'
      say '{"answered":{"time_ns":123}}'
      say '{"answered":{}}'
      say '{"extracted":{}}'
      read -r line || echo closed >&3)";
  WireSession session(shell(script), {}, seconds(30));
  const WireHello hello = session.hello("p2p");
  EXPECT_EQ(hello.name, "mine");
  EXPECT_EQ(hello.program_version, "2.3");
  EXPECT_EQ(hello.form, WireForm::text);
  session.prepare({"/a \"b\".gr", "gr", 1, {{"threads", "2"}}});
  const WireTimes said = session.ask({5, 7});
  EXPECT_EQ(said.program_ns, 123);
  EXPECT_EQ(said.counted_ns(), 123);
  EXPECT_GT(said.bound_ns, 123);
  const WireTimes unsaid = session.ask({6, {}});
  EXPECT_EQ(unsaid.program_ns, std::nullopt);
  EXPECT_EQ(unsaid.counted_ns(), unsaid.bound_ns);
  EXPECT_GT(session.extract("/answer", WireForm::binary), 0);
  session.close();
  EXPECT_EQ(TestFolder::read(heard), R"({"hello":{"version":1,"problem":"p2p"}}
{"prepare":{"graph":"/a \"b\".gr","format":"gr","first_vertex":1,"settings":{"threads":"2"}}}
{"query":{"source":5,"target":7}}
{"query":{"source":6}}
{"extract":{"file":"/answer","form":"binary"}}
closed
)");
}

TEST(WireSession, OurClockCounts) {
  WireSession session(
      shell(ready_and(R"(read line; sleep 0.05; echo '{"answered":{}}'; read line)")), {},
      seconds(30));
  start(session);
  EXPECT_GE(session.ask({5, {}}).counted_ns(), 50'000'000);
}

TEST(WireSession, AnotherVersionIsRefused) {
  EXPECT_EQ(
      error_of(R"(read l; echo '{"hello":{"version":2,"name":"n"}}')", ExitCode::usage),
      "sh: it speaks version 2 of the wire, and this Bellmark speaks version 1; build it with "
      "the bellmark/worker.hpp of this Bellmark, or see docs/reference/program-wire.md");
  EXPECT_TRUE(contains(error_of(R"(read l; echo '{"hello":{"version":"1"}}')", ExitCode::usage),
                       "it speaks version ? of the wire"));
}

TEST(WireSession, NonsenseIsRefused) {
  for (const char* line :
       {"Segmentation fault", "", "{}", "[]", "7", R"({"answered":1})", R"({"answered":{})",
        R"({"answered":{},"prepared":{}})", R"({\"answered\":{\"time_ns\":1e999}})"}) {
    const std::string error =
        error_of(ready_and("read l; printf '%s\\n' '" + std::string(line) + "'"), ExitCode::usage);
    EXPECT_TRUE(contains(error, "sh: its answer to 'query' is no message")) << line << error;
  }
}

TEST(WireSession, UnexpectedAnswersAreRefused) {
  EXPECT_TRUE(contains(error_of(ready_and(R"(read l; echo '{"extracted":{}}')"), ExitCode::usage),
                       "sh: it answers 'query' with 'extracted', not with 'answered'"));
  // Two at once: the second would answer a query that the program doesn't know.
  EXPECT_TRUE(contains(error_of(ready_and(R"(read l; printf '{"answered":{}}\n{"answered":{}}\n')"),
                                ExitCode::usage),
                       "sh: it says more than the answer to 'query': {\"answered\":{}}"));
  const TestFolder folder;
  WireSession session(shell(ready_and(R"(echo '{"answered":{}}'; sleep 60)")), {}, seconds(30));
  session.hello("sssp");
  try {
    session.prepare({"/graph.gr", "gr", 1, {}});
    // It may have come together with "prepared".
    std::this_thread::sleep_for(milliseconds(300));
    session.ask({5, {}});
    ADD_FAILURE() << "an answer before the question counts";
  } catch (const Error& error) {
    EXPECT_TRUE(contains(error.what(), "{\"answered\":{}}")) << error.what();
  }
}

TEST(WireSession, LiesAreRefused) {
  const auto answer = [](const std::string& time) {
    return error_of(ready_and("read l; echo '{\"answered\":{\"time_ns\":" + time + "}}'"),
                    ExitCode::usage);
  };
  EXPECT_TRUE(
      contains(answer("99000000000000"), "sh: it says that the query took 99000000000000 ns"));
  for (const char* time : {"0", "-1", "1.5", "\"1\"", "null", "99999999999999999999"}) {
    EXPECT_TRUE(contains(answer(time), "'time_ns' is not a whole number above 0")) << time;
  }
}

TEST(WireSession, SaysWhatTheProgramSays) {
  EXPECT_EQ(error_of(std::string(kHello) +
                         R"(read l; echo '{"error":{"message":"no such graph"}}'; exit 1)",
                     ExitCode::usage),
            "sh: it says: no such graph");
}

TEST(WireSession, SaysHowTheProgramEnded) {
  EXPECT_EQ(error_of(ready_and("read l; echo first >&2; echo last >&2; exit 3"), ExitCode::crash),
            "sh: it ended (exit code 3) before it answered 'query'; its last words: last");
  EXPECT_EQ(error_of(ready_and("read l; kill -9 $$"), ExitCode::crash),
            "sh: it ended (killed by signal 9 (Killed)) before it answered 'query'");
  EXPECT_EQ(error_of("exit 0", ExitCode::crash),
            "sh: it ended (exit code 0) before it answered 'hello'");
  EXPECT_EQ(error_of(ready_and("read l; exec >&-; sleep 60"), ExitCode::crash),
            "sh: it closed its standard output before it answered 'query'");
  EXPECT_EQ(error_of(ready_and("read l; printf half"), ExitCode::crash),
            "sh: it ended (exit code 0) before it answered 'query'");
}

TEST(WireSession, SilenceEnds) {
  EXPECT_EQ(error_of(ready_and("read l; sleep 60"), ExitCode::crash, milliseconds(500)),
            "sh: nothing heard for 0.5 s after the request 'query'");
}

TEST(WireSession, ItsLogIsPassedOnToALimit) {
  const TestFolder folder;
  const std::string log = (folder / "log").string();
  const Descriptor ours(dup(STDERR_FILENO));
  const Descriptor file(open(log.c_str(), O_WRONLY | O_CREAT, 0600));
  dup2(file.get(), STDERR_FILENO);
  // Its output there is never an answer, however long it is.
  const std::string error = error_of("while :; do echo no >&2; done", ExitCode::crash, seconds(1));
  error_of("cat /dev/zero >&2", ExitCode::crash, seconds(1));
  dup2(ours.get(), STDERR_FILENO);
  EXPECT_EQ(error, "sh: nothing heard for 1 s after the request 'hello'; its last words: no");
  EXPECT_EQ(TestFolder::read(log).substr(0, 6), "no\nno\n");
  EXPECT_GE(std::filesystem::file_size(log), kMostLog);
  EXPECT_LE(std::filesystem::file_size(log), 2 * kMostLog);
}

TEST(WireSession, FloodsEnd) {
  EXPECT_TRUE(contains(error_of(ready_and("read l; cat /dev/zero"), ExitCode::usage),
                       "sh: its answer to 'query' has more than 65536 bytes in a line"));
  EXPECT_TRUE(contains(error_of("yes", ExitCode::usage), "sh: it s"));
}

TEST(WireSession, FailuresLast) {
  WireSession session(shell("read l; echo no"), {}, seconds(30));
  std::string first;
  for (int i = 0; i < 2; ++i) {
    try {
      session.hello("sssp");
      ADD_FAILURE() << "nonsense passes";
    } catch (const Error& error) {
      if (i == 0) first = error.what();
      EXPECT_EQ(error.what(), first);
    }
  }
}

TEST(WireSession, NothingIsLeftBehind) {
  const TestFolder folder;
  const std::string child = (folder / "child").string();
  const std::string leaves = "sleep 1000 & echo $! >" + child + "; ";
  for (const bool closed : {false, true}) {
    {
      WireSession session(shell(leaves + ready_and("read l")), {}, seconds(30));
      start(session);
      if (closed) session.close();
    }
    EXPECT_TRUE(dies(written_id(child)));
    std::filesystem::remove(child);
  }
  EXPECT_TRUE(contains(error_of(leaves + "exit 7", ExitCode::crash, seconds(2)), "exit code 7"));
  EXPECT_TRUE(dies(written_id(child)));
}

TEST(WireSession, AProgramThatGoesOnIsKilled) {
  const TestFolder folder;
  const std::string self = (folder / "self").string();
  WireSession session(shell("echo $$ >" + self + "; " + ready_and("while :; do sleep 1; done")), {},
                      seconds(30));
  start(session);
  session.close();
  EXPECT_TRUE(dies(written_id(self)));
  EXPECT_THROW(session.ask({5, {}}), InputError);
}

TEST(WireSession, ItIsPinnedAsItsCaller) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  std::string error;
  std::thread([&] {
    sched_setaffinity(0, sizeof one, &one);
    error = error_of("grep Cpus_allowed_list /proc/self/status >&2; exit 1", ExitCode::crash);
  }).join();
  EXPECT_TRUE(contains(error, "Cpus_allowed_list:\\x09" + std::to_string(first))) << error;
}

TEST(WireSession, LongRequestsAndOddPathsAreRefused) {
  WireSession session(shell(ready_and("read l")), {}, seconds(30));
  session.hello("sssp");
  EXPECT_THROW(session.prepare({"/g\xff", "gr", 1, {}}), InputError);
  EXPECT_THROW(session.prepare({"/g", "gr", 1, {{"key", std::string(kLongestLine, 'x')}}}),
               InputError);
  session.prepare({"/g", "gr", 1, {}});
}

TEST(WireSession, ABrokenPipeIsASignalAgainAfterwards) {
  const auto old = std::signal(SIGPIPE, SIG_DFL);
  {
    WireSession first(shell("read l"), {}, seconds(30));
    EXPECT_EQ(programs_in_conversation(), (std::vector<pid_t>{first.program_id()}));
    { const WireSession second(shell("read l"), {}, seconds(30)); }
    EXPECT_EQ(programs_in_conversation(), (std::vector<pid_t>{first.program_id()}));
    first.close();
    EXPECT_TRUE(programs_in_conversation().empty());
  }
  EXPECT_EQ(std::signal(SIGPIPE, old), SIG_DFL);
}

TEST(WireSession, AProgramThatIsNotThereIsRefused) {
  EXPECT_THROW(WireSession({"/no/such"}, {}, seconds(30)), MachineError);
}

}  // namespace
}  // namespace bellmark::external
