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
  huge,   ///< 2 MiB wherever they fit, where the kernel grants them
  small,  ///< none but those of the least size
  system  ///< as the kernel's setting and the environment have it; nobody asks for anything
};

std::string to_string(Pages pages);
/// Throws InputError with the names that there are.
Pages pages_of(std::string_view name);

/// Variables with which a process must be started for the rule to hold: malloc() reads one of them.
std::map<std::string, std::string> environment_of(Pages pages);

/// For this process, from here on.
void take_pages(Pages pages);

/// Private memory of this process, and how much of it lies on huge pages.
struct PageUse {
  std::uint64_t anonymous_bytes = 0;
  std::uint64_t huge_bytes = 0;
};

/// What is not known adds nothing.
void add(std::optional<PageUse>& sum, const std::optional<PageUse>& own);

/// Nothing where the kernel does not tell.
std::optional<PageUse> page_use(const FileRoot& root = {});

}  // namespace bellmark::machine
