#include "algorithms/searches/contracted/key.hpp"

namespace bellmark::contracted {

Key contract_key() {
  return implied(at_run_time(word_key(kContract, "none", {"none", "chains"},
                                      "search without leaves and chains, and label these last")));
}

bool contracts(const Settings& settings) {
  return settings.has(kContract) && settings.get(kContract) == "chains";
}

}  // namespace bellmark::contracted
