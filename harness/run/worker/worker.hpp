// The worker: one process that answers one request.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "harness/run/protocol/messages.hpp"
#include "harness/run/worker/passes.hpp"

namespace bellmark::run {

/// While it lives, this process ends when its standard input does: a supervisor that is gone,
/// however it went, closes that, through any launcher.
class EndWithSupervisor {
 public:
  EndWithSupervisor();
  EndWithSupervisor(const EndWithSupervisor&) = delete;
  EndWithSupervisor& operator=(const EndWithSupervisor&) = delete;
  ~EndWithSupervisor() { *armed_ = false; }

 private:
  std::shared_ptr<std::atomic<bool>> armed_ = std::make_shared<std::atomic<bool>>(true);
};

/// Writes an event as a line. One that nobody reads any more is dropped.
void write_event(int event_fd, const Event& event);

/// Runs `work` and returns the exit code; `emit` is told of what it throws as Failed.
int report_errors(const std::function<void()>& work, const Emit& emit);

/// The `bellmark worker` process: a request as one line on standard input, events as lines on file
/// descriptor `event_fd`. Returns the exit code.
int worker_main(int event_fd);

}  // namespace bellmark::run
