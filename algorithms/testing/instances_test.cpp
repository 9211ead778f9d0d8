// The instances of a family that are built.
#include "algorithms/contract/instances.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace bellmark {
namespace {

struct Pair {
  int arity;
  bool prefetch;
  friend constexpr bool operator==(const Pair&, const Pair&) = default;
};

constexpr auto kSome = built_by<Pair>([](auto add) {
  for (const int arity : {2, 4, 8}) {
    if (arity != 4) add({arity, false});
    if (arity == 8) add({.arity = arity, .prefetch = true});
  }
});
static_assert(kSome.size() == 3);

constexpr auto kNone = built_by<Pair>([](auto) {});
static_assert(kNone.empty());

TEST(BuiltBy, HoldsWhatTheListAddsInItsOrder) {
  const std::vector<Pair> expected = {{2, false}, {8, false}, {8, true}};
  EXPECT_EQ(std::vector<Pair>(kSome.begin(), kSome.end()), expected);
}

}  // namespace
}  // namespace bellmark
