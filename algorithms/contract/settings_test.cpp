// Settings and keys: parsing, typed getters, refusals.
#include "algorithms/contract/settings.hpp"

#include <gtest/gtest.h>

#include "algorithms/contract/description.hpp"
#include "algorithms/contract/run_context.hpp"
#include "base/error.hpp"

namespace bellmark {
namespace {

TEST(Settings, ParsesAndKeepsOrder) {
  Settings settings = Settings::parse("b=2, a = x ,c=0.5");
  EXPECT_EQ(settings.text(), "b=2,a=x,c=0.5");
  EXPECT_EQ(settings.integer("b"), 2);
  EXPECT_EQ(settings.get("a"), "x");
  EXPECT_DOUBLE_EQ(settings.number("c"), 0.5);
  settings.set("a", "y");
  EXPECT_EQ(settings.text(), "b=2,a=y,c=0.5");
  EXPECT_EQ(Settings::parse("").text(), "");
}

TEST(Settings, RefusesWhatIsNoSetting) {
  for (const char* text : {"a", "=1", "a=1,", "a=1,a=2", ",", "a=1,,b=2"}) {
    EXPECT_THROW(Settings::parse(text), InputError) << text;
  }
  const Settings settings = Settings::parse("a=x,b=1e,c=99999999999999999999,d=,e=nan,f=2 ");
  EXPECT_THROW(settings.integer("a"), InputError);
  EXPECT_THROW(settings.number("b"), InputError);
  EXPECT_THROW(settings.integer("c"), InputError);
  EXPECT_THROW(settings.number("d"), InputError);
  EXPECT_THROW(settings.number("e"), InputError);
  EXPECT_EQ(settings.integer("f"), 2);
  EXPECT_THROW(settings.get("missing"), InputError);
}

TEST(Key, RefusesWithWhatIsAllowed) {
  const Key word = word_key("queue", "heap", {"heap", "scan"}, "");
  EXPECT_EQ(word.refuse("heap"), "");
  EXPECT_NE(word.refuse("heep").find("did you mean 'heap'"), std::string::npos);
  EXPECT_EQ(word.range_text(), "heap|scan");
  const Key integer = integer_key("arity", 2, 2, 32, "");
  EXPECT_EQ(integer.refuse("32"), "");
  EXPECT_NE(integer.refuse("1").find("2..32"), std::string::npos);
  EXPECT_NE(integer.refuse("2.0").find("2..32"), std::string::npos);
  const Key tunable = at_run_time(integer, true, "children");
  EXPECT_EQ(tunable.when, Key::When::run_time);
  EXPECT_TRUE(tunable.tunable);
  EXPECT_EQ(tunable.unit, "children");
}

TEST(RunContext, AccountsReplaceByName) {
  RunContext context;
  context.account("queue", 10);
  context.account("arcs", 5);
  context.account("queue", 20);
  ASSERT_EQ(context.accounted().size(), 2u);
  EXPECT_EQ(context.accounted()[0], (std::pair<std::string, std::uint64_t>("queue", 20)));
}

TEST(RunContext, PhasesNestAndCostNothingWhenOff) {
  struct Log : Recorder {
    void begin(std::string_view phase) override { text.append("(").append(phase); }
    void note(std::string_view name, std::uint64_t value) override {
      text.append(" ").append(name).append("=").append(std::to_string(value));
    }
    void end() override { text += ")"; }
    std::string text;
  } log;
  const RunContext context(&log);
  {
    Phase outer(context, "search");
    { const Phase inner(context, "relax"); }
    outer.note("settled_count", 3);
  }
  EXPECT_EQ(log.text, "(search(relax) settled_count=3)");
  Phase off(RunContext(), "search");
  off.note("settled_count", 1);
}

}  // namespace
}  // namespace bellmark
