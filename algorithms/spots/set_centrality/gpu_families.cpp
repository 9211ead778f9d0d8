#include "algorithms/gpu/families.hpp"

BELLMARK_GPU_FAMILIES("set-migration/greedy-gpu", "set-migration/local-improvement-gpu",
                      "set-migration/paper-greedy", "set-convenience/greedy-gpu",
                      "set-convenience/local-improvement-gpu", "set-convenience/paper-greedy");
