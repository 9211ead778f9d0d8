// Counter groups: the events of one counting pass. Each is a data file, groups/*.toml.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bellmark::sinks {

struct Event {
  std::string name;  ///< as the source calls it: a PAPI preset or native event, `rusage::...`, a
                     ///< metric of CUPTI's (`dram__bytes_read.sum`)
  std::string unit;  ///< `count`, `bytes` or `ns`
};

/// A ratio of two events of the group. Both are first summed over the queries.
struct EventRatio {
  std::string name;
  std::string numerator;
  std::string denominator;
};

struct Group {
  std::string name;        ///< the file's stem
  std::string short_text;  ///< one line
  std::string long_text;   ///< its meaning, and how to read it
  std::vector<Event> events;
  std::string source = {};  ///< `cupti`; "" for whatever counts the group on the CPU
  std::vector<EventRatio> ratios = {};
};

/// Reads one group file. Throws InputError with file:line for anything unexpected.
Group read_group(const std::filesystem::path& path);

/// The group of that name in group_folder(). Throws InputError that suggests the nearest name.
Group load_group(const std::string& name);

/// True if the group is counted by thread. A simulator counts a process, and a GPU all its work.
bool counts_threads(const std::string& name);

/// Sorted.
std::vector<std::string> group_names();

/// Throws InputError with the valid names of `--counters` if this is not one of them.
void check_group(const std::string& name);

/// $BELLMARK_GROUPS, otherwise the source tree's harness/sinks/groups.
std::filesystem::path group_folder();

}  // namespace bellmark::sinks
