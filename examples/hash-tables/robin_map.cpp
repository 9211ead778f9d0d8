// lookup/robin-map: open addressing with Robin Hood hashing (Celis, Larson, Munro: Robin Hood
// Hashing, FOCS 1985), by Tessil's library.
#include <tsl/robin_map.h>

#include "lookup.hpp"

namespace hash_tables {
namespace {

class RobinMap : public TableLookup<tsl::robin_map<std::uint64_t, std::uint64_t>> {
 public:
  static bellmark::Description describe() {
    using namespace bellmark;
    Description description;
    description.name = "lookup/robin-map";
    description.summary = "Open addressing with Robin Hood hashing";
    description.source = "tsl::robin_map";
    description.keys = {at_run_time(
        integer_key("load", 50, 20, 90, "Load above which the table grows"), true, "%")};
    return description;
  }

  explicit RobinMap(const bellmark::Settings& settings) {
    table_.max_load_factor(static_cast<float>(settings.integer("load")) / 100);
  }
};

BELLMARK_REGISTER(RobinMap);

}  // namespace
}  // namespace hash_tables
