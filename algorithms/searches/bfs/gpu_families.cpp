#include "algorithms/gpu/families.hpp"

BELLMARK_GPU_FAMILIES("bfs/hybrid-gpu", "bfs/hybrid-cpu-gpu", "bfs/persistent");
