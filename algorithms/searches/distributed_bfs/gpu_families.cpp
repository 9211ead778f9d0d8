#include "algorithms/gpu/families.hpp"

BELLMARK_GPU_FAMILIES("distributed-bfs/hybrid-gpu", "distributed-bfs/persistent");
