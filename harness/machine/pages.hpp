// The memory pages of a process that measures: one rule for all of its allocations.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "harness/machine/files.hpp"

namespace bellmark::machine {

enum class Pages {
  huge,      ///< transparent pages of 2 MiB wherever they fit, if the kernel grants them
  reserved,  ///< huge pages that were set aside (hugetlbfs), while there are any
  small,     ///< only pages of the least size
  system     ///< the kernel's setting and the environment decide
};

std::string to_string(Pages pages);
/// Throws InputError that lists the names.
Pages pages_of(std::string_view name);

/// Why a process would get none of these pages here; "" when it may get them.
std::string pages_absence(Pages pages, const FileRoot& root = {});

/// Environment variables that the rule needs at a process's start: malloc() reads one of them.
std::map<std::string, std::string> environment_of(Pages pages);

/// Sets the rule for this process's later allocations.
void take_pages(Pages pages);

/// Private memory of this process, its part on huge pages, and its NUMA nodes.
struct PageUse {
  std::uint64_t anonymous_bytes = 0;  ///< without the reserved ones
  std::uint64_t huge_bytes = 0;
  std::uint64_t reserved_bytes = 0;
  /// Memory without a file, by the system's number of the node; empty where the kernel does not
  /// tell.
  std::map<unsigned, std::uint64_t> node_bytes = {};
};

/// Adds known values; an unknown one adds nothing.
void add(std::optional<PageUse>& sum, const std::optional<PageUse>& own);

/// Nothing where the kernel does not tell.
std::optional<PageUse> page_use(const FileRoot& root = {});

}  // namespace bellmark::machine
