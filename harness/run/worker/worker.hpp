// The worker: one process that answers one request.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "harness/run/protocol/messages.hpp"
#include "harness/run/worker/passes.hpp"

namespace bellmark::run {

/// During its lifetime, this process ends when its standard input does. A supervisor that has
/// ended, for any reason, closes that input, through any launcher.
class EndWithSupervisor {
 public:
  EndWithSupervisor();
  EndWithSupervisor(const EndWithSupervisor&) = delete;
  EndWithSupervisor& operator=(const EndWithSupervisor&) = delete;
  ~EndWithSupervisor() { *armed_ = false; }

 private:
  std::shared_ptr<std::atomic<bool>> armed_ = std::make_shared<std::atomic<bool>>(true);
};

/// Writes an event as a line. An event that nobody reads is dropped.
void write_event(int event_fd, const Event& event);

/// Runs `work` and returns the exit code. `emit` gets its error as Failed.
int report_errors(const std::function<void()>& work, const Emit& emit);

/// The `bellmark worker` process: a request as one line on standard input, events as lines on file
/// descriptor `event_fd`. Returns the exit code.
int worker_main(int event_fd);

}  // namespace bellmark::run
