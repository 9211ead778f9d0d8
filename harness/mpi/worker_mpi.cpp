// `bellmark-worker-mpi`: one rank of a launched group. The launcher (mpirun, srun) passes the
// request to rank 0's standard input, and rank 0's standard output back to the supervisor.
#include <fcntl.h>
#include <mpi.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "algorithms/contract/registry.hpp"
#include "algorithms/parallel/communicator.hpp"
#include "base/error.hpp"
#include "harness/mpi/mpi_communicator.hpp"
#include "harness/run/supervise/rank_status.hpp"
#include "harness/run/worker/replicate.hpp"
#include "harness/run/worker/worker.hpp"

namespace {

using namespace bellmark;

/// Signals by which a faulty program ends.
constexpr int kFatalSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

run::RankLine* line_of_this_rank = nullptr;
struct sigaction action_before[NSIG];

/// Notes how the rank died. Then the signal takes its course.
extern "C" void note_signal(int signal) {
  line_of_this_rank->signal = static_cast<std::uint32_t>(signal);
  sigaction(signal, &action_before[signal], nullptr);
  raise(signal);
}

void note_signals() {
  struct sigaction action {};
  action.sa_handler = note_signal;
  for (const int signal : kFatalSignals) sigaction(signal, &action, &action_before[signal]);
}

/// This process's rank in a communicator of MPI.
struct Standing {
  int rank = 0;
  int size = 1;
};

Standing standing_in(MPI_Comm group) {
  Standing standing;
  MPI_Comm_rank(group, &standing.rank);
  MPI_Comm_size(group, &standing.size);
  return standing;
}

Standing standing_on_host() {
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  const Standing standing = standing_in(host);
  MPI_Comm_free(&host);
  return standing;
}

/// Rank 0's line of standard input, sent to all ranks.
run::Request receive_request(int rank) {
  std::string line;
  if (rank == 0) std::getline(std::cin, line);
  unsigned long long size = line.size();
  MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
  line.resize(size);
  MPI_Bcast(line.data(), static_cast<int>(size), MPI_CHAR, 0, MPI_COMM_WORLD);
  if (line.empty()) {
    throw InputError("request", "none came to rank 0's standard input",
                     "use a launcher that hands its own on, as mpirun and srun do");
  }
  return run::parse_request(line);
}

/// This rank's line of the group's status file. On a host without the file, a line that nobody
/// reads.
std::shared_ptr<run::RankLine> open_line(const run::Request& request, const Standing& all) {
  try {
    auto status = std::make_shared<run::RankStatus>(
        run::RankStatus::open(request.ranks->status_file, request.ranks->count));
    const auto lines = status->lines();
    if (static_cast<std::size_t>(all.rank) < lines.size()) {
      return {status, &lines[static_cast<std::size_t>(all.rank)]};
    }
  } catch (const MachineError&) {
  }
  return std::make_shared<run::RankLine>();
}

/// `line` outlives the answer: the program may still die after it.
void answer(MpiSession& session, const Standing& all, std::shared_ptr<run::RankLine>& line,
            const run::Emit& emit) {
  Registry::global().check();
  run::Request request = receive_request(all.rank);
  if (!request.ranks) {
    throw InputError("request", "names no ranks", "start `bellmark worker` for a single process");
  }
  line = open_line(request, all);
  line->set_stage("begin");
  line_of_this_rank = line.get();
  note_signals();
  const Standing on_host = standing_on_host();
  request.ranks->local_rank = static_cast<std::size_t>(on_host.rank);
  request.ranks->local_count = static_cast<std::size_t>(on_host.size);

  const auto ranks = session.communicator(std::shared_ptr<Progress>(line, &line->progress));
  set_world(ranks.get());
  const run::Peers peers{.at_query = [&](std::size_t query, const std::string& text) {
    line->set_query(query, text);
  }};
  const auto note = [&](const run::Event& event) {
    if (const auto* entered = std::get_if<run::CellEntered>(&event)) {
      line->set_stage(entered->step);
      line->set_query(0, "");
    }
    emit(event);
  };
  std::optional<run::EndWithSupervisor> ends_with_supervisor;
  if (all.rank == 0) ends_with_supervisor.emplace();
  const run::Event done = run::run_request(request, measure::Clock::system(), note, peers);
  ends_with_supervisor.reset();
  emit(done);
  set_world(nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  // A launcher that is killed must not leave a rank behind.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Standard output is for events. Other output goes to standard error.
  constexpr int kFirstFree = 3;
  const int event_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, kFirstFree);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  std::signal(SIGXFSZ, SIG_IGN);  // as in bellmark: a full disk is an error of write()

  std::unique_ptr<MpiSession> session;
  const auto begin = [&] { session = std::make_unique<MpiSession>(argc, argv); };
  const int refused = run::report_errors(
      begin, [&](const run::Event& event) { run::write_event(event_fd, event); });
  if (refused != 0) return refused;

  const Standing all = standing_in(MPI_COMM_WORLD);
  const auto emit = [&](const run::Event& event) {
    if (const auto* failed = std::get_if<run::Failed>(&event)) {
      run::Failed error = *failed;
      error.rank = static_cast<std::size_t>(all.rank);
      // On a line of its own, whatever rank 0 was writing.
      [[maybe_unused]] const ssize_t count = write(event_fd, "\n", 1);
      run::write_event(event_fd, error);
    } else if (all.rank == 0) {
      run::write_event(event_fd, event);
    }
  };
  std::shared_ptr<run::RankLine> line;
  const int code = run::report_errors([&] { answer(*session, all, line, emit); }, emit);
  if (code != 0) {
    // Other ranks may fail in the same way: they get the time to report it, and the launcher to
    // pass it on.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    session->abort(code);
  }
  return 0;
}
