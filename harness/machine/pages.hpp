// The memory pages of a process that measures: one rule for all that it allocates.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "harness/machine/files.hpp"

namespace bellmark::machine {

enum class Pages {
  huge,      ///< transparent ones of 2 MiB wherever they fit, where the kernel grants them
  reserved,  ///< huge ones that were set aside for who asks (hugetlbfs), while there are any
  small,     ///< none but those of the least size
  system     ///< as the kernel's setting and the environment have it; nobody asks for anything
};

std::string to_string(Pages pages);
/// Throws InputError with the names that there are.
Pages pages_of(std::string_view name);

/// Why a process would get none of these pages here; "" when it may.
std::string pages_absence(Pages pages, const FileRoot& root = {});

/// Variables with which a process must be started for the rule to hold: malloc() reads one of them.
std::map<std::string, std::string> environment_of(Pages pages);

/// For this process, from here on.
void take_pages(Pages pages);

/// Private memory of this process, how much of it lies on huge pages, and on which NUMA nodes.
struct PageUse {
  std::uint64_t anonymous_bytes = 0;  ///< without the reserved ones
  std::uint64_t huge_bytes = 0;
  std::uint64_t reserved_bytes = 0;
  /// Memory without a file, by the system's number of the node; none where the kernel does not
  /// tell.
  std::map<unsigned, std::uint64_t> node_bytes = {};
};

/// What is not known adds nothing.
void add(std::optional<PageUse>& sum, const std::optional<PageUse>& own);

/// Nothing where the kernel does not tell.
std::optional<PageUse> page_use(const FileRoot& root = {});

}  // namespace bellmark::machine
