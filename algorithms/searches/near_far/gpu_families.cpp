#include "algorithms/gpu/families.hpp"

BELLMARK_GPU_FAMILIES("bfs/near-far", "sssp/near-far", "sssp/near-far-batch");
