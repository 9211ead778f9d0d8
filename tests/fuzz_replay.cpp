// Runs a fuzz target over its corpus without a fuzzer: every file, and every prefix of the small
// ones. Usage: TARGET_replay FOLDER.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argument_count, char** arguments) {
  if (argument_count != 2) {
    std::cerr << "usage: " << arguments[0] << " FOLDER\n";
    return EXIT_FAILURE;
  }
  constexpr std::size_t kMostPrefixes = 1000;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(arguments[1])) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    ++files;
    const std::size_t first = bytes.size() <= kMostPrefixes ? 0 : bytes.size();
    for (std::size_t size = first; size <= bytes.size(); ++size) {
      // A copy of exactly this size, so that a sanitizer sees a read after its end.
      const std::vector<std::uint8_t> input(bytes.begin(), bytes.begin() + size);
      LLVMFuzzerTestOneInput(input.data(), input.size());
    }
  }
  std::cout << files << " files\n";
  return files > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
