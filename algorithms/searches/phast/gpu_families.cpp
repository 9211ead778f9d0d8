#include "algorithms/gpu/families.hpp"

BELLMARK_GPU_FAMILIES("sssp/phast-batch");
