// A variant's prepared data in a file: saved once, then mapped by each later process.
//
// Little-endian. The file is a header of 128 bytes, a table of the sections' sizes in bytes (u64
// each) and the sections. Each section begins at the next multiple of 64 bytes, and the gap before
// it is zeros. The file ends with its last section. The format's version is that of the frame; the
// content's version is the variant's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace bellmark::prepared {

/// The first bytes of a file, as they lie in it.
struct Header {
  static constexpr std::array<char, 8> kMagic = {'b', 'e', 'l', 'l', 'p', 'r', 'e', 'p'};
  static constexpr std::uint32_t kVersion = 1;
  static constexpr std::uint32_t kByteOrder = 0x01020304;

  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t byte_order = kByteOrder;
  std::uint32_t content_version = 0;
  std::uint32_t section_count = 0;
  std::uint64_t file_bytes = 0;
  std::array<char, 32> graph_digest{};     ///< hexadecimal digits
  std::array<char, 32> settings_digest{};  ///< likewise: variant's name and keys that count
  std::uint64_t content_digest = 0;        ///< 64-bit XXH3 of all that follows the header
  std::array<char, 16> padding{};
  std::uint64_t checksum = 0;  ///< 64-bit XXH3 of the header with 0 in this place
};
static_assert(sizeof(Header) == 128);

/// The identity of a file: the variant, its settings and the graph that it was made for.
struct Identity {
  std::string variant;  ///< with the settings that its content depends on
  std::uint32_t content_version = 0;
  std::string graph_digest;

  std::string settings_digest() const;
  /// `contraction-hierarchy-0123456789abcdef.prepared`, without the part before a '/'.
  std::string file_name() const;
};

/// Fills in the header's fields about the file: its size, its digests and the checksum. `pieces`
/// are the bytes after the header.
void seal(Header& header, const Identity& identity,
          std::span<const std::span<const std::byte>> pieces);

/// An array that a variant made, or that lies in a mapped file.
template <class T>
class Kept {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Kept() = default;
  Kept(std::vector<T> values) : own_(std::move(values)), values_(own_) {}  // NOLINT: as a vector
  /// `storage` keeps the values alive.
  Kept(std::shared_ptr<const void> storage, std::span<const T> values)
      : storage_(std::move(storage)), values_(values) {}
  // A moved vector's values stay where they are.
  Kept(Kept&&) noexcept = default;
  Kept& operator=(Kept&&) noexcept = default;
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept() = default;

  const T& operator[](std::size_t i) const { return values_[i]; }
  const T* data() const { return values_.data(); }
  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  const T& front() const { return values_.front(); }
  const T& back() const { return values_.back(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  std::span<const T> span() const { return values_; }
  std::uint64_t bytes() const { return values_.size_bytes(); }

 private:
  std::vector<T> own_;
  std::shared_ptr<const void> storage_;
  std::span<const T> values_;
};

/// Sections in the order in which they are read again. They must outlive write().
class Writer {
 public:
  template <class T>
  void add(const Kept<T>& values) {
    sections_.push_back(std::as_bytes(values.span()));
  }
  /// The whole file or none. Throws InputError for a bad path, MachineError when the machine fails.
  void write(const Identity& identity, const std::filesystem::path& path) const;

 private:
  std::vector<std::span<const std::byte>> sections_;
};

/// A file that was found sound and of the right graph. Sections are taken in their order.
class Reader {
 public:
  /// Maps the file. One pass over it checks its digest; nothing is copied. Throws InputError with
  /// the first fault: damage, or another graph, other settings, another version.
  Reader(const std::filesystem::path& path, const Identity& identity);
  /// The same of bytes in memory, aligned to 64, that `storage` keeps alive.
  Reader(std::shared_ptr<const void> storage, std::span<const std::byte> bytes,
         const Identity& identity, std::string name);

  /// Throws InputError where there are no more sections, or the size is no multiple of T's.
  template <class T>
  Kept<T> take() {
    const std::span<const std::byte> bytes = next(sizeof(T));
    // The bytes were written from the same type, so they hold such objects.
    return Kept<T>(storage_, {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)});
  }

  /// Refuses the content: `what` is wrong with it.
  [[noreturn]] void refuse(std::string_view what) const;

 private:
  void check(const Identity& identity);
  std::span<const std::byte> next(std::size_t element_bytes);

  std::string name_;
  std::shared_ptr<const void> storage_;
  std::span<const std::byte> bytes_;
  std::vector<std::span<const std::byte>> sections_;
  std::size_t taken_ = 0;
};

/// The folder's absolute path; the folder is made where it is not there. Throws InputError where
/// that fails.
std::filesystem::path made_folder(const std::filesystem::path& folder);

/// The folder where this process keeps prepared files; an empty path (the default): nowhere. Called
/// before variants are bound.
void use_folder(std::filesystem::path folder);
const std::filesystem::path& folder();

/// The file of `identity` in that folder; an empty path without one.
std::filesystem::path path_of(const Identity& identity);

}  // namespace bellmark::prepared
