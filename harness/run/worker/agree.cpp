#include "harness/run/worker/agree.hpp"

#include <algorithm>

namespace bellmark::run {
namespace {

auto first_said(const std::vector<std::string>& texts) {
  return std::ranges::find_if(texts, [](const auto& text) { return !text.empty(); });
}

}  // namespace

std::vector<std::string> texts_of_all(Communicator& ranks, const std::string& own) {
  if (ranks.size() == 1) return {own};
  const std::vector<std::size_t> sizes = ranks.all_gather(own.size());
  std::vector<std::size_t> offsets(1, 0);
  for (const std::size_t size : sizes) offsets.push_back(offsets.back() + size);
  std::string all(offsets.back(), '\0');
  ranks.all_gather(own, all, offsets);
  std::vector<std::string> texts;
  texts.reserve(sizes.size());
  for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
    texts.push_back(all.substr(offsets[rank], sizes[rank]));
  }
  return texts;
}

std::string first_text(Communicator& ranks, const std::string& own) {
  const std::vector<std::string> texts = texts_of_all(ranks, own);
  const auto said = first_said(texts);
  return said == texts.end() ? "" : *said;
}

std::int64_t longest_ns(Communicator& ranks, std::int64_t own_ns) {
  if (ranks.size() == 1) return own_ns;
  const auto longest = ranks.all_reduce(static_cast<std::uint64_t>(own_ns), Reduction::largest);
  return static_cast<std::int64_t>(longest);
}

std::string agreed_text(Communicator& ranks, const std::string& own) {
  const std::vector<std::string> texts = texts_of_all(ranks, own);
  if (std::ranges::count(texts, texts.front()) == std::ssize(texts)) return texts.front();
  const auto said = first_said(texts);
  return "rank " + std::to_string(said - texts.begin()) + ": " + *said;
}

}  // namespace bellmark::run
