#include "harness/machine/pages.hpp"

#include <sys/prctl.h>

#include <cstdlib>

#include "base/enum_names.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark::machine {
namespace {

constexpr EnumNames<Pages, 4> kNames = {{{{Pages::huge, "huge"},
                                          {Pages::reserved, "reserved"},
                                          {Pages::small, "small"},
                                          {Pages::system, "system"}}}};
constexpr const char* kReserved = "/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages";
constexpr const char* kTransparent = "/sys/kernel/mm/transparent_hugepage/enabled";

std::optional<std::uint64_t> bytes_of(const std::string& text, const char* key) {
  const auto value = field(text, key, ':');
  const auto kib = value ? to_integer(value->substr(0, value->find(' '))) : std::nullopt;
  if (!kib || *kib < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*kib) * 1024;
}

/// A line of numa_maps: `7f00 default anon=3 dirty=3 N0=1 N1=2 kernelpagesize_kB=4`.
void add_nodes(const std::string& line, std::map<unsigned, std::uint64_t>& node_bytes) {
  std::map<unsigned, std::uint64_t> page_counts;
  std::uint64_t page_bytes = 0;
  for (const std::string& word : words(line)) {
    const std::size_t equals = word.find('=');
    if (word.starts_with("file=")) return;
    if (equals == std::string::npos) continue;
    const auto value = to_integer(word.substr(equals + 1));
    if (!value || *value < 0) continue;
    if (word.starts_with("kernelpagesize_kB=")) {
      page_bytes = static_cast<std::uint64_t>(*value) * 1024;
    } else if (const auto node = to_integer(word.substr(1, equals - 1)); word[0] == 'N' && node) {
      page_counts[static_cast<unsigned>(*node)] = static_cast<std::uint64_t>(*value);
    }
  }
  for (const auto& [node, count] : page_counts) node_bytes[node] += count * page_bytes;
}

}  // namespace

std::string to_string(Pages pages) { return kNames.name_of(pages); }

Pages pages_of(std::string_view name) {
  if (const auto pages = kNames.value_of(name)) return *pages;
  throw InputError("pages", "'" + std::string(name) + "' is none of " + join(kNames.all(), ", "),
                   did_you_mean(name, kNames.all()));
}

std::string pages_absence(Pages pages, const FileRoot& root) {
  if (pages == Pages::reserved) {
    const FileText free = root.read(kReserved);
    if (!free.text) return "no huge pages can be reserved: " + free.reason;
    if (to_integer(*free.text).value_or(0) > 0) return {};
    return "no huge page is reserved and free: write how many there shall be to "
           "/proc/sys/vm/nr_hugepages";
  }
  if (pages == Pages::huge) {
    const FileText setting = root.read(kTransparent);
    if (!setting.text) return "no transparent huge pages: " + setting.reason;
    if (setting.text->find("[never]") != std::string::npos) {
      return std::string("the kernel grants no huge pages: ") + kTransparent + " is never";
    }
  }
  return {};
}

std::map<std::string, std::string> environment_of(Pages pages) {
  if (pages != Pages::huge && pages != Pages::reserved) return {};
  // glibc asks the kernel for huge pages under all of its memory, arrays and small blocks alike.
  // With 2 it takes reserved pages, and others when these are used up.
  constexpr const char* kName = "GLIBC_TUNABLES";
  const std::string kHuge =
      pages == Pages::huge ? "glibc.malloc.hugetlb=1" : "glibc.malloc.hugetlb=2";
  const char* others = std::getenv(kName);
  const bool has_others = others != nullptr && *others != '\0';
  return {{kName, has_others ? std::string(others) + ":" + kHuge : kHuge}};
}

void take_pages(Pages pages) {
  if (pages == Pages::system) return;
  // An older kernel refuses, and the result shows the pages in use.
  prctl(PR_SET_THP_DISABLE, pages == Pages::small ? 1UL : 0UL, 0UL, 0UL, 0UL);
}

void add(std::optional<PageUse>& sum, const std::optional<PageUse>& own) {
  if (!own) return;
  if (!sum) sum.emplace();
  sum->anonymous_bytes += own->anonymous_bytes;
  sum->huge_bytes += own->huge_bytes;
  sum->reserved_bytes += own->reserved_bytes;
  for (const auto& [node, bytes] : own->node_bytes) sum->node_bytes[node] += bytes;
}

std::optional<PageUse> page_use(const FileRoot& root) {
  const std::string text = root.read("/proc/self/smaps_rollup").text.value_or("");
  const auto anonymous = bytes_of(text, "Anonymous");
  const auto huge = bytes_of(text, "AnonHugePages");
  if (!anonymous || !huge) return std::nullopt;
  PageUse use{*anonymous, *huge, bytes_of(text, "Private_Hugetlb").value_or(0), {}};
  const std::string maps = root.read("/proc/self/numa_maps").text.value_or("");
  for (const std::string& line : split(maps, '\n')) add_nodes(line, use.node_bytes);
  return use;
}

}  // namespace bellmark::machine
