// The sinks on work with known events: touching new pages.
#include "harness/sinks/sink.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <semaphore>
#include <stdexcept>
#include <thread>

#include "base/child_process.hpp"
#include "base/error.hpp"
#include "harness/machine/environment.hpp"
#include "harness/sinks/fake.hpp"
#include "harness/sinks/papi.hpp"
#include "harness/sinks/software_events.hpp"

namespace bellmark::sinks {
namespace {

constexpr std::int64_t kPages = 1000;

/// Maps `kPages` new pages and writes to each, which faults once for each page.
void touch_new_pages() {
  const auto page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t bytes = page_bytes * static_cast<std::size_t>(kPages);
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  // Huge pages would fault once for many pages.
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  for (std::size_t at = 0; at < bytes; at += page_bytes) {
    static_cast<volatile char*>(memory)[at] = 1;
  }
  munmap(memory, bytes);
}

Reading find(const std::vector<Reading>& readings, const std::string& name) {
  for (const Reading& reading : readings) {
    if (reading.name == name) return reading;
  }
  ADD_FAILURE() << "no reading called " << name;
  return {};
}

/// Every event once, in the group's order, each with a value or a reason but not both.
void expect_complete(const Group& group, const std::vector<Reading>& readings) {
  ASSERT_EQ(readings.size(), group.events.size()) << group.name;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    EXPECT_EQ(readings[i].name, group.events[i].name);
    EXPECT_EQ(readings[i].unit, group.events[i].unit);
    EXPECT_EQ(readings[i].value.has_value(), readings[i].reason.empty()) << readings[i].name;
  }
}

// ThreadSanitizer's own shadow of a page is two pages more, and faults too.
#ifdef __SANITIZE_THREAD__
constexpr int kFaultsAPage = 3;
#else
constexpr int kFaultsAPage = 1;
#endif

/// Page faults counted from zero in every stretch, without another thread's.
void expect_page_faults(CounterSink& sink, const std::string& name) {
  for (int stretch = 0; stretch < 2; ++stretch) {
    sink.start();
    touch_new_pages();
    const Reading faults = find(sink.stop(), name);
    ASSERT_TRUE(faults.value.has_value()) << faults.reason;
    EXPECT_GE(*faults.value, kPages);
    EXPECT_LT(*faults.value, (kFaultsAPage + 1) * kPages);
  }
  sink.start();
  std::thread(touch_new_pages).join();
  EXPECT_LT(find(sink.stop(), name).value.value_or(kPages), kPages);
}

/// A thread that touches new pages on command, as a variant's thread searches.
class Toucher {
 public:
  Toucher() {
    thread_ = std::jthread([this] {
      id_.set_value(gettid());
      while (told_.acquire(), !is_over_) {
        touch_new_pages();
        done_.release();
      }
    });
  }
  ~Toucher() {
    is_over_ = true;
    told_.release();
  }
  pid_t id() { return id_.get_future().get(); }
  void touch() {
    told_.release();
    done_.acquire();
  }

 private:
  std::promise<pid_t> id_;
  std::binary_semaphore told_{0};
  std::binary_semaphore done_{0};
  std::atomic<bool> is_over_ = false;
  std::jthread thread_;
};

/// The second of two threads touches pages twice as often.
void expect_page_faults_of_threads(CounterSink& sink, Toucher& other) {
  for (int stretch = 0; stretch < 2; ++stretch) {
    sink.start();
    touch_new_pages();
    other.touch();
    other.touch();
    const Reading faults = find(sink.stop(), "perf::PAGE-FAULTS");
    ASSERT_TRUE(faults.value.has_value()) << faults.reason;
    ASSERT_EQ(faults.by_thread.size(), 2U);
    EXPECT_EQ(*faults.value, faults.by_thread[0] + faults.by_thread[1]);
    EXPECT_GE(faults.by_thread[0], kPages);
    EXPECT_LT(faults.by_thread[0], (kFaultsAPage + 1) * kPages);
    EXPECT_GE(faults.by_thread[1], 2 * kPages);
    EXPECT_LT(faults.by_thread[1], (2 * kFaultsAPage + 1) * kPages);
  }
}

TEST(PapiSink, CountsEachOfSeveralThreads) {
  Toucher other;
  const std::unique_ptr<CounterSink> sink =
      open_papi(load_group("software"), {gettid(), other.id()});
  if (const auto reason = sink->unavailable()) GTEST_SKIP() << *reason;
  expect_page_faults_of_threads(*sink, other);
}

TEST(SoftwareEvents, CountsEachOfSeveralThreads) {
  Toucher other;
  const Threads threads = {gettid(), other.id()};
  SoftwareEvents sink(load_group("software"), threads);
  expect_page_faults_of_threads(sink, other);
  SoftwareEvents usage(load_group("usage"), threads);
  usage.start();
  const std::vector<Reading> readings = usage.stop();
  expect_complete(load_group("usage"), readings);
  EXPECT_EQ(find(readings, "rusage::USER-TIME").reason,
            "of another thread the operating system tells this in steps of 10 ms only");
}

TEST(SoftwareEvents, AThreadThatHasEndedIsAReason) {
  const Group group = load_group("software");
  SoftwareEvents sink(group, Threads{gettid(), 0x7fffffff});
  sink.start();
  const std::vector<Reading> readings = sink.stop();
  expect_complete(group, readings);
  for (const Reading& reading : readings) {
    EXPECT_TRUE(reading.reason.starts_with("thread 2147483647 has ended, or ")) << reading.reason;
  }
}

TEST(PapiSink, SoftwareGroupCountsPageFaults) {
  const Group group = load_group("software");
  const std::unique_ptr<CounterSink> sink = open_papi(group);
  if (const auto reason = sink->unavailable()) GTEST_SKIP() << *reason;
  expect_page_faults(*sink, "perf::PAGE-FAULTS");
  sink->start();
  const std::vector<Reading> readings = sink->stop();
  expect_complete(group, readings);
  EXPECT_GT(find(readings, "perf::TASK-CLOCK").value.value_or(0), 0);
}

TEST(PapiSink, TwoGroupsCanBeOpenOneAfterTheOther) {
  for (int i = 0; i < 3; ++i) {
    const std::unique_ptr<CounterSink> sink = open_papi(load_group("software"));
    if (const auto reason = sink->unavailable()) GTEST_SKIP() << *reason;
    sink->start();
    touch_new_pages();
    EXPECT_GE(find(sink->stop(), "perf::PAGE-FAULTS").value.value_or(0), kPages);
  }
}

TEST(PapiSink, WithoutAPmuHardwareEventsAreNullWithAReason) {
  if (!machine::cpu_pmus().empty()) GTEST_SKIP() << "this machine has a PMU";
  for (const char* name : {"cycles", "cache", "tlb", "branches"}) {
    const Group group = load_group(name);
    const std::unique_ptr<CounterSink> sink = open_group(name);
    ASSERT_TRUE(sink->unavailable().has_value()) << name;
    EXPECT_FALSE(sink->unavailable()->empty());
    sink->start();
    touch_new_pages();
    const std::vector<Reading> readings = sink->stop();
    expect_complete(group, readings);
    for (const Reading& reading : readings) EXPECT_FALSE(reading.value) << reading.name;
  }
}

TEST(PapiSink, UnknownEventsDoNotHideTheOthers) {
  const Group group{.name = "mixed",
                    .short_text = "s",
                    .long_text = "l",
                    .events = {{"no::SUCH-EVENT", "count"}, {"perf::PAGE-FAULTS", "count"}}};
  const std::unique_ptr<CounterSink> sink = open_papi(group);
  if (const auto reason = open_papi(load_group("software"))->unavailable()) {
    GTEST_SKIP() << *reason;
  }
  sink->start();
  touch_new_pages();
  const std::vector<Reading> readings = sink->stop();
  expect_complete(group, readings);
  EXPECT_FALSE(readings[0].value);
  EXPECT_GE(readings[1].value.value_or(0), kPages);
}

TEST(PapiSink, MisuseIsCaught) {
  const std::unique_ptr<CounterSink> sink = open_papi(load_group("software"));
  if (const auto reason = sink->unavailable()) GTEST_SKIP() << *reason;
  EXPECT_THROW(sink->stop(), std::logic_error);
  std::thread([&] { EXPECT_THROW(sink->start(), std::logic_error); }).join();
}

TEST(SoftwareEvents, CountsPageFaultsUnderBothNames) {
  const Group usage = load_group("usage");
  SoftwareEvents own(usage);
  EXPECT_FALSE(own.unavailable());
  expect_page_faults(own, "rusage::MINOR-FAULTS");
  SoftwareEvents perf(load_group("software"));
  expect_page_faults(perf, "perf::PAGE-FAULTS");
  own.start();
  const std::vector<Reading> readings = own.stop();
  expect_complete(usage, readings);
  for (const Reading& reading : readings) EXPECT_TRUE(reading.value) << reading.name;
}

TEST(SoftwareEvents, VoluntarySwitchesAreWaits) {
  SoftwareEvents sink(load_group("usage"));
  sink.start();
  for (int i = 0; i < 5; ++i) std::this_thread::sleep_for(std::chrono::microseconds(100));
  EXPECT_GE(find(sink.stop(), "rusage::VOLUNTARY-SWITCHES").value.value_or(0), 5);
}

TEST(SoftwareEvents, HardwareEventsAreNullWithAReason) {
  const Group group = load_group("cycles");
  SoftwareEvents sink(group);
  EXPECT_TRUE(sink.unavailable().has_value());
  sink.start();
  expect_complete(group, sink.stop());
  EXPECT_THROW(sink.stop(), std::logic_error);
}

TEST(SoftwareEvents, ProgramsAreCountedWhenTheyHaveEnded) {
  SoftwareEvents sink(load_group("software"), SoftwareEvents::Of::programs);
  EXPECT_FALSE(sink.unavailable());
  sink.start();
  for (const Reading& reading : sink.stop()) EXPECT_FALSE(reading.value) << reading.name;
  sink.start();
  run_program({"/bin/sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done"});
  const std::vector<Reading> readings = sink.stop();
  EXPECT_GT(find(readings, "perf::PAGE-FAULTS").value.value_or(0), 10);
  EXPECT_GT(find(readings, "perf::TASK-CLOCK").value.value_or(0), 1'000'000);
  EXPECT_FALSE(find(readings, "perf::CPU-MIGRATIONS").value);
}

TEST(SoftwareEvents, AUnitThatTheSourceDoesNotUseIsNotCounted) {
  SoftwareEvents sink({"wrong", "s", "l", {{"perf::TASK-CLOCK", "count"}}});
  sink.start();
  EXPECT_FALSE(sink.stop().at(0).value);
}

TEST(OpenGroup, AlwaysFindsASourceForWhatTheSystemCounts) {
  for (const char* name : {"software", "usage"}) {
    const std::unique_ptr<CounterSink> sink = open_group(name);
    EXPECT_FALSE(sink->unavailable()) << name;
    sink->start();
    expect_complete(load_group(name), sink->stop());
  }
  EXPECT_EQ(open_group("usage")->name(), "software");
  EXPECT_THROW(open_group("nothing"), InputError);
}

TEST(Readings, AnEventThatWasOnceUnreadHasNoSum) {
  std::vector<Reading> total;
  add_readings(total, {{"a", "count", 2, ""}, {"b", "count", 5, ""}});
  add_readings(total, {{"a", "count", 3, ""}, {"b", "count", std::nullopt, "lost"}});
  add_readings(total, {{"a", "count", 4, ""}, {"b", "count", 1, ""}});
  EXPECT_EQ(total.at(0).value, 9);
  EXPECT_FALSE(total.at(1).value);
  EXPECT_EQ(total.at(1).reason, "lost");
}

TEST(Readings, ThreadsAddUpEachForItself) {
  std::vector<Reading> total;
  add_readings(total, {{"a", "count", 3, "", {1, 2}}});
  add_readings(total, {{"a", "count", 30, "", {10, 20}}});
  EXPECT_EQ(total.at(0).value, 33);
  EXPECT_EQ(total.at(0).by_thread, (std::vector<std::int64_t>{11, 22}));
}

TEST(Readings, RatiosAreOfTheSums) {
  Group group{.name = "g", .short_text = "s", .long_text = "l", .events = {}};
  group.ratios = {{"hit_ratio", "hits", "lookups"},
                  {"miss_ratio", "misses", "lookups"},
                  {"zero_ratio", "hits", "zero"}};
  const auto readings = ratio_readings(group, {{"hits", "count", 3, ""},
                                               {"lookups", "count", 4, ""},
                                               {"zero", "count", 0, ""},
                                               {"misses", "count", std::nullopt, "no counter"}});
  ASSERT_EQ(readings.size(), 3U);
  EXPECT_EQ(readings[0].value, 0.75);
  EXPECT_EQ(readings[0].reason, "");
  EXPECT_FALSE(readings[1].value);
  EXPECT_EQ(readings[1].reason, "no counter");
  EXPECT_FALSE(readings[2].value);
  EXPECT_EQ(readings[2].reason, "zero is 0");
}

TEST(FakeSink, GivesBackWhatItWasGivenInTurn) {
  FakeSink sink({{"cycles", "count", 42, ""}, {"misses", "count", std::nullopt, "no PMU"}});
  EXPECT_FALSE(sink.unavailable());
  EXPECT_THROW(sink.stop(), std::logic_error);
  sink.start();
  EXPECT_THROW(sink.start(), std::logic_error);
  const std::vector<Reading> readings = sink.stop();
  EXPECT_EQ(readings.at(0).value, 42);
  EXPECT_EQ(readings.at(1).reason, "no PMU");
  EXPECT_EQ(sink.start_count(), 1);
  EXPECT_EQ(FakeSink({{"misses", "count", std::nullopt, "no PMU"}}).unavailable(), "no PMU");
}

}  // namespace
}  // namespace bellmark::sinks
