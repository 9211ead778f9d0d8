#include "harness/sinks/group.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <set>

#include "base/error.hpp"
#include "harness/machine/fake_root.hpp"

namespace bellmark::sinks {
namespace {

const char* const kGroupHead = "name = \"mine\"\nshort = \"s\"\nlong = \"l\"\n";
const char* const kEvent = "[[events]]\nname = \"PAPI_TOT_CYC\"\nunit = \"count\"\n";

/// Sets $BELLMARK_GROUPS to a temporary folder during its lifetime.
class GroupFolder {
 public:
  GroupFolder() { setenv("BELLMARK_GROUPS", path().c_str(), 1); }
  ~GroupFolder() { unsetenv("BELLMARK_GROUPS"); }
  GroupFolder(const GroupFolder&) = delete;
  GroupFolder& operator=(const GroupFolder&) = delete;

  std::filesystem::path path() const { return files_.path(); }
  void write(const std::string& name, const std::string& text) { files_.write("/" + name, text); }

 private:
  machine::FakeRoot files_;
};

std::string refusal(const std::string& text) {
  GroupFolder folder;
  folder.write("mine.toml", text);
  try {
    load_group("mine");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Group, EveryShippedFileIsSound) {
  const std::vector<std::string> names = group_names();
  const std::vector<std::string> expected{"branches",         "cache",  "cycles",    "gpu-dram",
                                          "gpu-instructions", "gpu-l2", "gpu-warps", "software",
                                          "stalls",           "tlb",    "usage"};
  EXPECT_EQ(names, expected);
  for (const std::string& name : names) {
    const Group group = load_group(name);
    EXPECT_EQ(group.name, name);
    EXPECT_FALSE(group.short_text.empty());
    EXPECT_FALSE(group.long_text.empty());
    std::set<std::string> events;
    for (const Event& event : group.events) {
      EXPECT_TRUE(events.insert(event.name).second) << name << " " << event.name;
    }
    EXPECT_FALSE(events.empty()) << name;
    EXPECT_EQ(group.source, name.starts_with("gpu-") ? "cupti" : "") << name;
    // The key of a result states its unit.
    for (const EventRatio& ratio : group.ratios)
      EXPECT_TRUE(ratio.name.ends_with("_ratio")) << name;
  }
}

TEST(Group, UnknownNamesGetASuggestion) {
  try {
    load_group("cahce");
    ADD_FAILURE() << "an unknown group was opened";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "counter group 'cahce': not known; did you mean 'cache'?");
  }
  EXPECT_THROW(load_group("../groups/cache"), InputError);
  EXPECT_THROW(load_group(""), InputError);
}

TEST(Group, TheFolderCanBeReplaced) {
  GroupFolder folder;
  EXPECT_TRUE(group_names().empty());
  EXPECT_THROW(load_group("software"), InputError);
  folder.write("mine.toml", std::string(kGroupHead) + kEvent);
  EXPECT_EQ(group_names(), std::vector<std::string>{"mine"});
  EXPECT_EQ(load_group("mine").events.at(0).name, "PAPI_TOT_CYC");
}

TEST(Group, RatiosAreOfTheGroupsOwnEvents) {
  const std::string text = std::string(kGroupHead) + "source = \"cupti\"\n" + kEvent;
  const std::string ratio = "[[ratios]]\nname = \"r\"\nnumerator = \"PAPI_TOT_CYC\"\n";
  GroupFolder folder;
  folder.write("mine.toml", text + ratio + "denominator = \"PAPI_TOT_CYC\"\n");
  const Group group = load_group("mine");
  EXPECT_EQ(group.source, "cupti");
  ASSERT_EQ(group.ratios.size(), 1U);
  EXPECT_EQ(group.ratios[0].numerator, "PAPI_TOT_CYC");
  EXPECT_NE(refusal(text + ratio).find("'denominator' is missing"), std::string::npos);
  EXPECT_NE(refusal(text + ratio + "denominator = \"x\"\n")
                .find("mine.toml:8: ratio r is of x, which is not an event of the group"),
            std::string::npos);
  EXPECT_NE(refusal(text + "ratios = 1\n").find("unknown key 'ratios'"), std::string::npos);
  EXPECT_NE(refusal(kGroupHead + std::string("ratios = 1\n") + kEvent).find("ratios is not a list"),
            std::string::npos);
  EXPECT_NE(refusal(kGroupHead + std::string("source = \"perf\"\n") + kEvent)
                .find("mine.toml:4: source 'perf' is not known"),
            std::string::npos);
}

TEST(Group, ErrorsSayWhereAndWhat) {
  const std::string head = kGroupHead;
  const std::string event = kEvent;
  EXPECT_EQ(refusal(head + event), "no error");
  EXPECT_NE(refusal(head).find("no [[events]]"), std::string::npos);
  EXPECT_NE(refusal(head + "events = 3").find("no [[events]]"), std::string::npos);
  EXPECT_NE(refusal(head + "events = [3]").find("mine.toml:4: an event is not a table"),
            std::string::npos);
  EXPECT_NE(refusal(head + event + event).find("PAPI_TOT_CYC is listed twice"), std::string::npos);
  EXPECT_NE(refusal(head + "evnets = 1\n" + event)
                .find("mine.toml:4: unknown key 'evnets'; did "
                      "you mean 'events'?"),
            std::string::npos);
  EXPECT_NE(refusal("name = \"mine\"\nshort = 1\nlong = \"l\"\n" + event)
                .find("mine.toml:2: 'short' is not text"),
            std::string::npos);
  EXPECT_NE(refusal("name = \"mine\"\nshort = \"s\"\n" + event).find("'long' is missing"),
            std::string::npos);
  EXPECT_NE(refusal("name = \"other\"\nshort = \"s\"\nlong = \"l\"\n" + event)
                .find("calls itself 'other'"),
            std::string::npos);
  EXPECT_NE(refusal(head + "[[events]]\nname = \"x\"\nunit = \"furlong\"\n")
                .find("unit 'furlong' is not known"),
            std::string::npos);
  EXPECT_NE(refusal(head + "[[events]\n").find("mine.toml:4: "), std::string::npos);
}

}  // namespace
}  // namespace bellmark::sinks
