// Counter groups: the events of one counting pass. Each is a data file, groups/*.toml.
#include "harness/sinks/group.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.hpp"
#include "base/installation.hpp"
#include "base/text.hpp"
#include "harness/sinks/cachegrind.hpp"

namespace bellmark::sinks {
namespace {

/// A group file during its reading: turns surprises into errors with a place.
class GroupReader {
 public:
  explicit GroupReader(const std::filesystem::path& path) : file_(path.string()) {}

  Group read() const {
    const toml::table table = parse();
    refuse_unknown(table, {"name", "short", "long", "source", "events", "ratios"});
    Group group{.name = text(table, "name"),
                .short_text = text(table, "short"),
                .long_text = text(table, "long"),
                .events = {},
                .source = table.contains("source") ? text(table, "source") : "",
                .ratios = {}};
    if (!group.source.empty() && group.source != "cupti") {
      fail(*table.get("source"), "source '" + group.source + "' is not known",
           "write cupti or leave it out");
    }
    const toml::array* events = table["events"].as_array();
    if (events == nullptr || events->empty()) fail(table, "no [[events]]", "list at least one");
    for (const toml::node& node : *events) group.events.push_back(event(node, group.events));
    if (!table.contains("ratios")) return group;
    const toml::array* ratios = table["ratios"].as_array();
    if (ratios == nullptr) fail(*table.get("ratios"), "ratios is not a list", "write [[ratios]]");
    for (const toml::node& node : *ratios) group.ratios.push_back(ratio(node, group));
    return group;
  }

 private:
  toml::table parse() const {
    try {
      return toml::parse_file(file_);
    } catch (const toml::parse_error& error) {
      throw InputError(where(error.source()), error.description());
    }
  }

  Event event(const toml::node& node, const std::vector<Event>& earlier) const {
    const toml::table* table = node.as_table();
    if (table == nullptr) fail(node, "an event is not a table", "write [[events]]");
    refuse_unknown(*table, {"name", "unit"});
    Event event{.name = text(*table, "name"), .unit = text(*table, "unit")};
    if (event.unit != "count" && event.unit != "bytes" && event.unit != "ns") {
      fail(*table, "unit '" + event.unit + "' is not known", "write count, bytes or ns");
    }
    if (std::any_of(earlier.begin(), earlier.end(),
                    [&](const Event& other) { return other.name == event.name; })) {
      fail(*table, "event " + event.name + " is listed twice", "remove one");
    }
    return event;
  }

  EventRatio ratio(const toml::node& node, const Group& group) const {
    const toml::table* table = node.as_table();
    if (table == nullptr) fail(node, "a ratio is not a table", "write [[ratios]]");
    refuse_unknown(*table, {"name", "numerator", "denominator"});
    EventRatio ratio{.name = text(*table, "name"),
                     .numerator = text(*table, "numerator"),
                     .denominator = text(*table, "denominator")};
    for (const std::string& event : {ratio.numerator, ratio.denominator}) {
      if (std::ranges::find(group.events, event, &Event::name) == group.events.end()) {
        fail(*table,
             "ratio " + ratio.name + " is of " + event + ", which is not an event of the group",
             "list it under [[events]]");
      }
    }
    return ratio;
  }

  std::string text(const toml::table& table, const std::string& key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) fail(table, "'" + key + "' is missing", "add it as text");
    const std::optional<std::string> value = node->value_exact<std::string>();
    if (!value || value->empty()) fail(*node, "'" + key + "' is not text", "write it in quotes");
    return *value;
  }

  void refuse_unknown(const toml::table& table, const std::vector<std::string>& known) const {
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        fail(node, "unknown key '" + name + "'", suggestion(name, known));
      }
    }
  }

  std::string where(const toml::source_region& source) const {
    return source.begin.line == 0 ? file_ : file_ + ":" + std::to_string(source.begin.line);
  }

  [[noreturn]] void fail(const toml::node& node, const std::string& what,
                         const std::string& remedy) const {
    throw InputError(where(node.source()), what, remedy);
  }

  std::string file_;
};

}  // namespace

Group read_group(const std::filesystem::path& path) {
  Group group = GroupReader(path).read();
  if (group.name != path.stem()) {
    throw InputError(path.string(), "the group calls itself '" + group.name + "'",
                     "its name must be that of the file");
  }
  return group;
}

std::filesystem::path group_folder() {
  const char* const given = std::getenv("BELLMARK_GROUPS");
  if (given != nullptr && *given != '\0') return given;
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  auto bundled = program.parent_path().parent_path() / "harness" / "sinks" / "groups";
  if (std::filesystem::is_directory(bundled, ignored)) return bundled;
  return std::filesystem::path(installation().share) / "harness" / "sinks" / "groups";
}

std::vector<std::string> group_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(group_folder(), error), end;
       !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() == ".toml") names.push_back(entry->path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool counts_threads(const std::string& name) {
  return name != kCachegrind && load_group(name).source != "cupti";
}

void check_group(const std::string& name) {
  std::vector<std::string> names = group_names();
  names.emplace_back(kCachegrind);
  std::ranges::sort(names);
  if (std::ranges::find(names, name) != names.end()) return;
  throw InputError("counter group '" + name + "'", "not known", suggestion(name, names));
}

Group load_group(const std::string& name) {
  const std::vector<std::string> names = group_names();
  if (names.empty()) {
    throw InputError(group_folder().string(), "no counter groups there",
                     "set BELLMARK_GROUPS to the folder with the group files");
  }
  // Only listed names are opened, so a name can't lead out of the folder.
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw InputError("counter group '" + name + "'", "not known", suggestion(name, names));
  }
  return read_group(group_folder() / (name + ".toml"));
}

}  // namespace bellmark::sinks
