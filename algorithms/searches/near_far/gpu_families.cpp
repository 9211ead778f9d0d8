#include "algorithms/gpu/families.hpp"

BELLMARK_GPU_FAMILIES("sssp/near-far", "sssp/near-far-batch");
