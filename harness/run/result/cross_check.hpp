// What the parts of a result say of each other: a schema sees each of them alone.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bellmark::run {

/// The first contradiction in a result that is valid against its schema, as
/// `cells[0].wall_ns.median: what is wrong`; "" when there is none. What cells measured before they
/// failed is left alone. Throws Json::exception where a part is missing.
std::string cross_fault(const nlohmann::ordered_json& result);

}  // namespace bellmark::run
