// rank-sum/all-reduce, for tests of ranks.
#include "tests/variants/command_line/rank_sum.hpp"

namespace bellmark::broken {
namespace {

BELLMARK_REGISTER(SumOverRanks);

}  // namespace
}  // namespace bellmark::broken
