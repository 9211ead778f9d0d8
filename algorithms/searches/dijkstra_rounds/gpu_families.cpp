#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/families.hpp"

BELLMARK_GPU_FAMILIES("sssp/dijkstra-rounds-gpu");
BELLMARK_RENAMED("sssp/dijkstra-batch-gpu", "sssp/dijkstra-rounds-gpu");
