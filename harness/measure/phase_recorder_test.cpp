// Phases: nesting, repetition, notes.
#include "harness/measure/phase_recorder.hpp"

#include <gtest/gtest.h>

#include "harness/measure/fake_clock.hpp"

namespace bellmark::measure {
namespace {

TEST(PhaseRecorder, NestsAndAddsUp) {
  FakeClock clock;
  PhaseRecorder recorder(clock);
  RunContext context(&recorder);
  for (int run = 0; run < 3; ++run) {
    Phase search(context, "search");
    clock.now += 10;
    {
      const Phase relax(context, "relax");
      clock.now += 5;
    }
    {
      const Phase relax(context, "relax");
      clock.now += 7;
    }
    {
      const Phase settle(context, "settle");
      clock.now += 1;
    }
  }
  const PhaseNode& root = recorder.root();
  ASSERT_EQ(root.children.size(), 1U);
  const PhaseNode& search = *root.children[0];
  EXPECT_EQ(search.name, "search");
  EXPECT_EQ(search.count, 3U);
  EXPECT_EQ(search.wall_ns, 3 * 23);
  ASSERT_EQ(search.children.size(), 2U);
  EXPECT_EQ(search.children[0]->name, "relax");
  EXPECT_EQ(search.children[0]->count, 6U);
  EXPECT_EQ(search.children[0]->wall_ns, 3 * 12);
  EXPECT_EQ(search.children[1]->name, "settle");
  EXPECT_EQ(search.children[1]->wall_ns, 3);
}

TEST(PhaseRecorder, SameNameUnderAnotherParentIsAnotherPhase) {
  FakeClock clock;
  PhaseRecorder recorder(clock);
  RunContext context(&recorder);
  {
    const Phase outer(context, "init");
    const Phase inner(context, "init");
    clock.now += 4;
  }
  const PhaseNode& outer = *recorder.root().children.at(0);
  EXPECT_EQ(outer.wall_ns, 4);
  ASSERT_EQ(outer.children.size(), 1U);
  EXPECT_EQ(outer.children[0]->name, "init");
  EXPECT_EQ(outer.children[0]->count, 1U);
}

TEST(PhaseRecorder, NotesAreSummedWhereTheyAreMade) {
  FakeClock clock;
  PhaseRecorder recorder(clock);
  RunContext context(&recorder);
  for (const std::uint64_t settled : {10U, 32U}) {
    Phase search(context, "search");
    search.note("settled_count", settled);
    Phase relax(context, "relax");
    relax.note("arc_count", 2 * settled);
    relax.note("settled_count", 1);
  }
  using Notes = std::vector<std::pair<std::string, std::uint64_t>>;
  const PhaseNode& search = *recorder.root().children.at(0);
  EXPECT_EQ(search.notes, (Notes{{"settled_count", 42}}));
  EXPECT_EQ(search.children.at(0)->notes, (Notes{{"arc_count", 84}, {"settled_count", 2}}));
}

/// Notes its calls, and takes time for each.
class FakeMarker final : public RangeMarker {
 public:
  explicit FakeMarker(FakeClock& clock) : clock_(clock) {}
  void push(std::string_view name) override {
    told += "(" + std::string(name);
    clock_.now += 100;
  }
  void pop() override {
    told += ")";
    clock_.now += 100;
  }
  std::string told;

 private:
  FakeClock& clock_;
};

TEST(PhaseRecorder, AMarkerSeesEveryPhaseAndIsNotInItsOwnTime) {
  FakeClock clock;
  FakeMarker marker(clock);
  PhaseRecorder recorder(clock, &marker);
  const RunContext context(&recorder);
  {
    const Phase search(context, "search");
    clock.now += 1;
  }
  {
    const Phase outer(context, "outer");
    const Phase inner(context, "inner");
    clock.now += 2;
  }
  EXPECT_EQ(marker.told, "(search)(outer(inner))");
  EXPECT_EQ(recorder.root().children.at(0)->wall_ns, 1);
  EXPECT_EQ(recorder.root().children.at(1)->children.at(0)->wall_ns, 2);
}

TEST(PhaseRecorder, WithoutARecorderPhasesDoNothing) {
  const RunContext context;
  Phase phase(context, "search");
  phase.note("settled_count", 1);
  EXPECT_EQ(context.recorder(), nullptr);
}

}  // namespace
}  // namespace bellmark::measure
