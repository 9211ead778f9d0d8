// Fuzz target: gzip framing. If the first byte is even, the input is a file. If it is odd, the
// input is compressed in two members, cut at the second byte. Then it is read back, whole and
// truncated.
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/error.hpp"
#include "base/input.hpp"
#include "graph/fuzz_support.hpp"
#include "graph/test_support.hpp"

namespace bellmark {
namespace {

std::string read_all(std::string_view bytes) {
  Input input(bytes, "fuzz.gz");
  std::string text;
  std::string part(1000, '\0');
  while (const std::size_t count = input.read(part)) text.append(part, 0, count);
  return text;
}

void check(std::string_view bytes) {
  if (bytes.size() < 2 || bytes[0] % 2 == 0) {
    const std::string_view file = bytes.substr(std::min<std::size_t>(bytes.size(), 1));
    const std::string text = read_all(file);
    require(is_gzip(file) || text == file, "plain bytes come through");
    require_sound(parse_gr(file, "fuzz.gr.gz"));
    return;
  }
  const std::string_view text = bytes.substr(2);
  const std::size_t cut = std::min<std::size_t>(text.size(), static_cast<unsigned char>(bytes[1]));
  const std::string file = gzip(text.substr(0, cut)) + gzip(text.substr(cut));
  require(read_all(file) == text, "gzip bytes come through");
  bool refused = false;
  try {
    read_all(std::string_view(file).substr(0, file.size() - 1 - cut % 8));
  } catch (const InputError&) {
    refused = true;
  }
  require(refused, "truncated gzip is refused");
}

}  // namespace
}  // namespace bellmark

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    bellmark::check({reinterpret_cast<const char*>(data), size});
  } catch (const bellmark::InputError&) {
    // A refusal is a good answer. Any other exception is a finding.
  }
  return 0;
}
