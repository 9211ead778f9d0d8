// Decides whether a command may write the file of an export.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace bellmark::run {

/// An export replaces an export of its kind and nothing else: not the graph that is about to be
/// measured. Throws InputError, or as AtomicFile does where nothing can be written; "" is no file.
void check_export(const std::string& file,
                  const std::function<bool(const std::filesystem::path&)>& is_export);

/// The same for exports that all have one beginning.
void check_export(const std::string& file, std::string_view beginning);

}  // namespace bellmark::run
