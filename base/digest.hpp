// Content digests: they identify graphs, queries, answers and cells by content, not by name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bellmark {

/// 128-bit XXH3 digest as 32 lower-case hexadecimal digits. It is not cryptographic: it shows
/// accidental differences, not forged ones. Bytes may come in any pieces.
class Digest {
 public:
  Digest();
  ~Digest();
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;

  Digest& add(std::span<const std::byte> bytes);
  Digest& add(std::string_view text);
  template <class T>
  requires std::is_trivially_copyable_v<T> Digest& add(std::span<const T> values) {
    return add(std::as_bytes(values));
  }
  Digest& add(std::uint64_t value);

  std::string hex() const;
  /// The lower half, which identifies one answer.
  std::uint64_t low64() const;

 private:
  void* state_;
};

/// 64-bit XXH3 of a run of bytes; used for short ids and for the digest of one answer.
std::uint64_t digest64(std::span<const std::byte> bytes);

/// `value` as 16 lower-case hexadecimal digits.
std::string hex64(std::uint64_t value);

}  // namespace bellmark
