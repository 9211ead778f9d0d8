// The layout of fields in memory. Yasui et al. (2011), section 3.3.
#pragma once

namespace bellmark::dijkstra {

/// One array a field (the paper's A_ary, N_ary), or one array of structures (A_struct, N_struct).
enum class Layout { soa, aos };

}  // namespace bellmark::dijkstra
