// rank-sum/all-reduce, for what ranks do to each other.
#include "tests/variants/command_line/rank_sum.hpp"

namespace bellmark::broken {
namespace {

BELLMARK_REGISTER(SumOverRanks);

}  // namespace
}  // namespace bellmark::broken
