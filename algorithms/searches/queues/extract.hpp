// The way in which a heap gives out its top. Yasui et al. (2011), section 3.2.
#pragma once

namespace bellmark::dijkstra {

/// The way in which entries move in the heap: by swaps (Algorithm 1), or by moving a hole
/// (Algorithm 2).
enum class Extract { top_down, bottom_up };

}  // namespace bellmark::dijkstra
