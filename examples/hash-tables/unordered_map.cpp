// lookup/unordered-map: the standard library's table, a list for each bucket.
#include <unordered_map>

#include "lookup.hpp"

namespace hash_tables {
namespace {

class UnorderedMap : public TableLookup<std::unordered_map<std::uint64_t, std::uint64_t>> {
 public:
  static bellmark::Description describe() {
    bellmark::Description description;
    description.name = "lookup/unordered-map";
    description.summary = "std::unordered_map";
    return description;
  }

  explicit UnorderedMap(const bellmark::Settings&) {}
};

BELLMARK_REGISTER(UnorderedMap);

}  // namespace
}  // namespace hash_tables
