#include "harness/machine/pages.hpp"

#include <sys/prctl.h>

#include <cstdlib>

#include "base/enum_names.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark::machine {
namespace {

constexpr EnumNames<Pages, 3> kNames = {
    {{{Pages::huge, "huge"}, {Pages::small, "small"}, {Pages::system, "system"}}}};

std::optional<std::uint64_t> bytes_of(const std::string& text, const char* key) {
  const auto value = field(text, key, ':');
  const auto kib = value ? to_integer(value->substr(0, value->find(' '))) : std::nullopt;
  if (!kib || *kib < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*kib) * 1024;
}

}  // namespace

std::string to_string(Pages pages) { return kNames.name_of(pages); }

Pages pages_of(std::string_view name) {
  if (const auto pages = kNames.value_of(name)) return *pages;
  throw InputError("pages", "'" + std::string(name) + "' is none of " + join(kNames.all(), ", "),
                   suggestion(name, kNames.all()));
}

std::map<std::string, std::string> environment_of(Pages pages) {
  if (pages != Pages::huge) return {};
  // glibc asks the kernel for huge pages under all of its memory, arrays and small blocks alike.
  constexpr const char* kName = "GLIBC_TUNABLES";
  constexpr const char* kHuge = "glibc.malloc.hugetlb=1";
  const char* others = std::getenv(kName);
  const bool has_others = others != nullptr && *others != '\0';
  return {{kName, has_others ? std::string(others) + ":" + kHuge : kHuge}};
}

void take_pages(Pages pages) {
  if (pages == Pages::system) return;
  // An older kernel refuses, and the result says what pages there were.
  prctl(PR_SET_THP_DISABLE, pages == Pages::small ? 1UL : 0UL, 0UL, 0UL, 0UL);
}

void add(std::optional<PageUse>& sum, const std::optional<PageUse>& own) {
  if (!own) return;
  if (!sum) sum.emplace();
  sum->anonymous_bytes += own->anonymous_bytes;
  sum->huge_bytes += own->huge_bytes;
}

std::optional<PageUse> page_use(const FileRoot& root) {
  const std::string text = root.read("/proc/self/smaps_rollup").text.value_or("");
  const auto anonymous = bytes_of(text, "Anonymous");
  const auto huge = bytes_of(text, "AnonHugePages");
  if (!anonymous || !huge) return std::nullopt;
  return PageUse{*anonymous, *huge};
}

}  // namespace bellmark::machine
