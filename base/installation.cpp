#include "base/installation.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/error.hpp"

namespace bellmark {
namespace {

Installation& own() {
  static Installation installation = [] {
    Installation plain;
    plain.share = BELLMARK_SOURCE_DIR;
    return plain;
  }();
  return installation;
}

}  // namespace

const Installation& installation() { return own(); }

void set_installation(Installation installation) {
  if (installation.share.empty()) installation.share = BELLMARK_SOURCE_DIR;
  own() = std::move(installation);
}

bool require_headers(const char* compiled_with) {
  constexpr const char* kOwn = BELLMARK_HEADERS;
  if (std::strcmp(compiled_with, kOwn) == 0) return true;
  std::fprintf(
      stderr,
      "bellmark: this lab was compiled with the headers of Bellmark %s, and is linked with "
      "Bellmark %s; remove its build folder and build it again\n",
      compiled_with, kOwn);
  std::_Exit(static_cast<int>(ExitCode::usage));
}

std::string in_own_name(std::string text) {
  const std::string word = "bellmark ";
  const std::string name = own().name + " ";
  if (name == word) return text;
  for (std::size_t at = text.find(word); at != std::string::npos;
       at = text.find(word, at + name.size())) {
    // A part of a path or of another word does not count.
    const bool begins = at == 0 || std::string(" \n`'(\"").find(text[at - 1]) != std::string::npos;
    if (begins) text.replace(at, word.size(), name);
  }
  return text;
}

}  // namespace bellmark
