#include "harness/report/reasons.hpp"

#include <algorithm>

#include "base/alike.hpp"
#include "base/text.hpp"

namespace bellmark::report {

void Reasons::add(const std::string& label, const std::string& reason) {
  auto known = std::ranges::find_if(
      reasons_, [&](const Reason& other) { return are_alike(other.texts.front(), reason); });
  if (known == reasons_.end()) known = reasons_.insert(known, Reason{});
  known->texts.push_back(reason);
  known->labels.push_back(label);
}

std::string Reasons::text() const {
  constexpr std::size_t kNamed = 3;
  std::string text;
  for (const auto& [texts, labels] : reasons_) {
    const std::size_t named = std::min(labels.size(), kNamed);
    std::string list =
        join({labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(named)}, "; ");
    if (labels.size() > named) list += " and " + std::to_string(labels.size() - named) + " more";
    if (labels.size() > 1) list = std::to_string(labels.size()) + " cells (" + list + ")";
    text.append("  ").append(list).append("  ").append(once_each(texts).front()).append("\n");
  }
  return text;
}

}  // namespace bellmark::report
