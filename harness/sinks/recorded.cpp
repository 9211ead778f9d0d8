// Counts that a file says, for tests on machines without counter hardware.
#include "harness/sinks/recorded.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "base/error.hpp"

namespace bellmark::sinks {
namespace {

class Recorded final : public CounterSink {
 public:
  Recorded(const Group& group, const Recording& recording, std::size_t thread_count)
      : processor_(recording.processor) {
    for (const Event& event : group.events) {
      Reading reading{event.name, event.unit, std::nullopt, ""};
      const auto found = recording.counts.find(event.name);
      if (found == recording.counts.end()) {
        reading.reason = processor_ + " has no event " + event.name;
      } else {
        reading.value = found->second * static_cast<std::int64_t>(thread_count);
        if (thread_count > 1) reading.by_thread.assign(thread_count, found->second);
      }
      readings_.push_back(std::move(reading));
    }
  }

  std::string name() const override { return "recorded: " + processor_; }
  bool is_measured() const override { return false; }

  std::optional<std::string> unavailable() const override {
    const bool has_any = std::ranges::any_of(
        readings_, [](const Reading& reading) { return reading.value.has_value(); });
    if (has_any) return std::nullopt;
    return readings_.front().reason;
  }

  void start() override { is_started_ = true; }
  std::vector<Reading> stop() override {
    if (!is_started_) throw std::logic_error("recorded: stopped, but not started");
    is_started_ = false;
    return readings_;
  }

 private:
  std::string processor_;
  std::vector<Reading> readings_;
  bool is_started_ = false;
};

[[noreturn]] void fail(const toml::source_region& source, const std::string& file,
                       std::string_view what, const char* remedy) {
  throw InputError(file + ":" + std::to_string(source.begin.line), std::string(what), remedy);
}

}  // namespace

Recording read_recording(const std::filesystem::path& path) {
  const std::string file = path.string();
  toml::table table;
  try {
    table = toml::parse_file(file);
  } catch (const toml::parse_error& error) {
    fail(error.source(), file, error.description(), "write a recording as those of Bellmark are");
  }
  Recording recording;
  for (const auto& [key, node] : table) {
    if (key == "processor" && node.is_string()) {
      recording.processor = node.as_string()->get();
    } else if (key == "source" && node.is_string()) {
      recording.source = node.as_string()->get();
    } else if (key == "counts" && node.is_table()) {
      for (const auto& [name, count] : *node.as_table()) {
        if (!count.is_integer() || count.as_integer()->get() < 0) {
          fail(count.source(), file, "the count of " + std::string(name.str()) + " is no count",
               "write a whole number that is not negative");
        }
        recording.counts.emplace(name.str(), count.as_integer()->get());
      }
    } else {
      fail(node.source(), file,
           "key '" + std::string(key.str()) + "' is unknown or of another type",
           "write the texts processor and source, and a table counts");
    }
  }
  if (recording.processor.empty() || recording.source.empty()) {
    fail(table.source(), file, "it names no processor or no source", "write both as texts");
  }
  return recording;
}

std::unique_ptr<CounterSink> open_recorded(const Group& group, const Recording& recording,
                                           const Threads& threads) {
  return std::make_unique<Recorded>(group, recording, std::max<std::size_t>(threads.size(), 1));
}

}  // namespace bellmark::sinks
