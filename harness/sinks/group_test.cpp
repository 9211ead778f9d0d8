#include "harness/sinks/group.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <set>

#include "base/error.hpp"
#include "harness/machine/fake_root.hpp"

namespace bellmark::sinks {
namespace {

const char* const kHead = "name = \"mine\"\nshort = \"s\"\nlong = \"l\"\n";
const char* const kEvent = "[[events]]\nname = \"PAPI_TOT_CYC\"\nunit = \"count\"\n";

/// $BELLMARK_GROUPS set to a temporary folder for as long as this lives.
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
  const std::vector<std::string> expected{"branches", "cache", "cycles",
                                          "software", "tlb",   "usage"};
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
  folder.write("mine.toml", std::string(kHead) + kEvent);
  EXPECT_EQ(group_names(), std::vector<std::string>{"mine"});
  EXPECT_EQ(load_group("mine").events.at(0).name, "PAPI_TOT_CYC");
}

TEST(Group, ErrorsSayWhereAndWhat) {
  const std::string head = kHead;
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
