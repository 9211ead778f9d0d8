#include "algorithms/contract/thread_team.hpp"

#include <string>
#include <system_error>
#include <utility>

#include "base/error.hpp"

namespace bellmark {

ThreadTeam::ThreadTeam(std::size_t size, const RunContext& context) {
  busy_count_ = static_cast<std::uint32_t>(size - 1);
  threads_.reserve(size - 1);
  try {
    while (threads_.size() < size - 1) {
      threads_.emplace_back(&ThreadTeam::serve, this, threads_.size() + 1, std::cref(context));
    }
  } catch (const std::system_error& error) {
    const std::string made = std::to_string(threads_.size() + 1);
    end();
    throw MachineError("threads=" + std::to_string(size),
                       "the system starts no more than " + made + ": " + error.code().message(),
                       "ask for fewer");
  }
  try {
    await_others();
  } catch (...) {
    end();
    throw;
  }
}

void ThreadTeam::run(const std::function<void(std::size_t)>& work) {
  if (!threads_.empty()) {
    work_ = &work;
    busy_count_.store(static_cast<std::uint32_t>(threads_.size()), std::memory_order_relaxed);
    begin_round();
  }
  attempt(work, 0);
  await_others();
}

void ThreadTeam::serve(std::size_t index, const RunContext& context) {
  attempt([&](std::size_t entering) { context.enter_thread(entering); }, index);
  for (std::uint32_t served = 0;; ++served) {
    if (busy_count_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_count_.notify_one();
    round_.wait(served, std::memory_order_acquire);
    if (work_ == nullptr) return;
    attempt(*work_, index);
  }
}

void ThreadTeam::attempt(const std::function<void(std::size_t)>& work, std::size_t index) {
  try {
    work(index);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!fault_) fault_ = std::current_exception();
  }
}

void ThreadTeam::await_others() {
  std::uint32_t busy_count = busy_count_.load(std::memory_order_acquire);
  while (busy_count != 0) {
    busy_count_.wait(busy_count, std::memory_order_relaxed);
    busy_count = busy_count_.load(std::memory_order_acquire);
  }
  const std::lock_guard lock(mutex_);
  if (fault_) std::rethrow_exception(std::exchange(fault_, nullptr));
}

void ThreadTeam::begin_round() {
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

void ThreadTeam::end() {
  work_ = nullptr;
  begin_round();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace bellmark
