#include "harness/run/worker/worker.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <new>
#include <optional>
#include <thread>

#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/run/worker/last_words.hpp"
#include "harness/run/worker/replicate.hpp"

namespace bellmark::run {

EndWithSupervisor::EndWithSupervisor() {
  std::thread([armed = armed_] {
    char byte;
    for (;;) {
      const ssize_t count = read(STDIN_FILENO, &byte, 1);
      if (count > 0 || (count < 0 && errno == EINTR)) continue;
      if (*armed) _exit(static_cast<int>(ExitCode::interrupted));
      return;
    }
  }).detach();
}

void write_event(int event_fd, const Event& event) {
  const std::string line = line_of(event);
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t count = write(event_fd, line.data() + sent, line.size() - sent);
    if (count < 0) return;
    sent += static_cast<std::size_t>(count);
  }
}

int worker_main(int event_fd) {
  const auto emit = [&](const Event& event) { write_event(event_fd, event); };
  install_last_words(event_fd);
  // Programs that this process starts must not send events in its name.
  fcntl(event_fd, F_SETFD, FD_CLOEXEC);
  return report_errors(
      [&] {
        std::string line;
        std::getline(std::cin, line);
        const Request request = parse_request(line);
        // The supervisor says "begin" when all processes are ready, and "end" when all have their
        // samples. A dead supervisor closes the pipe: that ends the work too.
        const Peers peers{[&] { std::getline(std::cin, line); },
                          [] {
                            pollfd input{STDIN_FILENO, POLLIN, 0};
                            return poll(&input, 1, 0) != 0;
                          }};
        std::optional<EndWithSupervisor> ends_with_supervisor;
        if (request.ranks) ends_with_supervisor.emplace();
        const Event answer = run_request(request, measure::Clock::system(), emit, peers);
        ends_with_supervisor.reset();
        emit(answer);
      },
      emit);
}

int report_errors(const std::function<void()>& work, const Emit& emit) {
  const auto fail = [&](ExitCode code, const std::string& message) {
    emit(Failed{static_cast<int>(code), escaped(message), {}});
    return static_cast<int>(code);
  };
  try {
    work();
    return 0;
  } catch (const Error& error) {
    return fail(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    // One cell needs too much memory; others may need less.
    return fail(ExitCode::crash, "no memory; use a smaller input, or give the process more");
  } catch (const std::exception& error) {
    return fail(ExitCode::internal, error.what());
  }
}

}  // namespace bellmark::run
