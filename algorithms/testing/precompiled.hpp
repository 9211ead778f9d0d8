// What nearly every test of algorithms/ includes, compiled once for all of them. A file includes
// what it uses all the same: tools read it alone.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "graph/graph.hpp"
