#include "algorithms/parallel/thread_team.hpp"

#include <string>
#include <system_error>
#include <utility>

#include "base/error.hpp"

namespace bellmark {

ThreadTeam::ThreadTeam(std::size_t size, const RunContext& context) {
  busy_count_ = size - 1;
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
    const std::lock_guard lock(mutex_);
    work_ = &work;
    ++round_;
    busy_count_ = threads_.size();
    begin_.notify_all();
  }
  attempt(work, 0);
  await_others();
}

void ThreadTeam::serve(std::size_t index, const RunContext& context) {
  attempt([&](std::size_t entering) { context.enter_thread(entering); }, index);
  std::uint64_t served = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    if (--busy_count_ == 0) done_.notify_one();
    begin_.wait(lock, [&] { return round_ != served; });
    served = round_;
    if (work_ == nullptr) return;
    const auto& work = *work_;
    lock.unlock();
    attempt(work, index);
    lock.lock();
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
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return busy_count_ == 0; });
  if (fault_) std::rethrow_exception(std::exchange(fault_, nullptr));
}

void ThreadTeam::end() {
  {
    const std::lock_guard lock(mutex_);
    work_ = nullptr;
    ++round_;
    begin_.notify_all();
  }
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace bellmark
