// Agreement between the parts of a result. The schema checks each part alone.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bellmark::run {

/// The first contradiction in a result that is valid against its schema, as
/// `cells[0].wall_ns.median: what is wrong`; "" when there is none. Readings of cells that failed
/// are not checked. Throws Json::exception where a part is missing.
std::string cross_fault(const nlohmann::ordered_json& result);

}  // namespace bellmark::run
