#include "algorithms/contract/prepared.hpp"

#include <cstring>
#include <mutex>

#include "base/atomic_file.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/mapped_file.hpp"

namespace bellmark::prepared {
namespace {

constexpr std::uint64_t kAlignment = 64;
constexpr std::uint64_t kMostSections = 64;

constexpr std::uint64_t align(std::uint64_t at) {
  return (at + kAlignment - 1) / kAlignment * kAlignment;
}

std::string text_of(const std::array<char, 32>& digits) { return {digits.data(), digits.size()}; }

std::uint64_t checksum(Header header) {
  header.checksum = 0;
  return digest64(std::as_bytes(std::span(&header, 1)));
}

/// The first 64 bits.
std::uint64_t content_digest(std::span<const std::span<const std::byte>> pieces) {
  Digest digest;
  for (const auto& piece : pieces) digest.add(piece);
  return std::stoull(digest.hex().substr(0, 16), nullptr, 16);
}

std::filesystem::path& folder_in_use() {
  static std::filesystem::path folder;
  return folder;
}

}  // namespace

std::string Identity::settings_digest() const { return Digest().add(variant).hex(); }

std::string Identity::file_name() const {
  const std::string family = variant.substr(0, variant.find(':'));
  const std::string all =
      Digest().add(graph_digest).add(settings_digest()).add(std::uint64_t{content_version}).hex();
  return family.substr(family.find('/') + 1) + "-" + all.substr(0, 16) + ".prepared";
}

void seal(Header& header, const Identity& identity,
          std::span<const std::span<const std::byte>> pieces) {
  header.content_version = identity.content_version;
  header.file_bytes = sizeof header;
  for (const auto& piece : pieces) header.file_bytes += piece.size();
  identity.graph_digest.copy(header.graph_digest.data(), header.graph_digest.size());
  identity.settings_digest().copy(header.settings_digest.data(), header.settings_digest.size());
  header.content_digest = content_digest(pieces);
  header.checksum = checksum(header);
}

void Writer::write(const Identity& identity, const std::filesystem::path& path) const {
  // The bytes after the header, in pieces.
  std::vector<std::uint64_t> sizes;
  for (const auto& section : sections_) sizes.push_back(section.size());
  std::vector<std::span<const std::byte>> pieces = {std::as_bytes(std::span(sizes))};
  constexpr std::array<std::byte, kAlignment> kZeros{};
  std::uint64_t end = sizeof(Header) + pieces[0].size();
  for (const auto& section : sections_) {
    pieces.push_back(std::span(kZeros).first(align(end) - end));
    pieces.push_back(section);
    end = align(end) + section.size();
  }
  Header header;
  header.section_count = static_cast<std::uint32_t>(sections_.size());
  seal(header, identity, pieces);
  AtomicFile file(path);
  file.write(std::as_bytes(std::span(&header, 1)));
  for (const auto& piece : pieces) file.write(piece);
  file.commit();
}

Reader::Reader(const std::filesystem::path& path, const Identity& identity) : name_(path.string()) {
  auto file = std::make_shared<MappedFile>(path);
  bytes_ = file->bytes();
  storage_ = std::move(file);
  check(identity);
}

Reader::Reader(std::shared_ptr<const void> storage, std::span<const std::byte> bytes,
               const Identity& identity, std::string name)
    : name_(std::move(name)), storage_(std::move(storage)), bytes_(bytes) {
  check(identity);
}

void Reader::refuse(std::string_view what) const {
  throw InputError(name_, what, "delete the file: it is prepared again");
}

void Reader::check(const Identity& identity) {
  Header header;
  if (bytes_.size() < sizeof header) refuse("is no prepared file: it is too short");
  std::memcpy(&header, bytes_.data(), sizeof header);
  if (header.magic != Header::kMagic) refuse("is no prepared file");
  if (header.version != Header::kVersion) {
    refuse("has version " + std::to_string(header.version) + " of the format, not " +
           std::to_string(Header::kVersion));
  }
  if (header.byte_order != Header::kByteOrder) refuse("has another byte order");
  if (header.checksum != checksum(header)) refuse("is damaged: its header has another checksum");
  if (header.file_bytes != bytes_.size()) {
    refuse("is damaged: it has " + std::to_string(bytes_.size()) + " bytes, not " +
           std::to_string(header.file_bytes));
  }
  if (text_of(header.settings_digest) != identity.settings_digest() ||
      header.content_version != identity.content_version) {
    refuse("was not prepared by version " + std::to_string(identity.content_version) + " of " +
           identity.variant);
  }
  if (text_of(header.graph_digest) != identity.graph_digest) {
    refuse("was prepared for another graph, of the digest " + text_of(header.graph_digest) +
           " and not " + identity.graph_digest);
  }
  const std::span<const std::byte> content = bytes_.subspan(sizeof header);
  if (header.content_digest != content_digest(std::span(&content, 1))) {
    refuse("is damaged: its content has another digest");
  }
  if (header.section_count > kMostSections ||
      content.size() < header.section_count * sizeof(std::uint64_t)) {
    refuse("is damaged: it has no room for its sections");
  }
  std::uint64_t end = sizeof header + header.section_count * sizeof(std::uint64_t);
  for (std::uint32_t i = 0; i < header.section_count; ++i) {
    std::uint64_t size = 0;
    std::memcpy(&size, content.data() + i * sizeof size, sizeof size);
    const std::uint64_t begin = align(end);
    if (begin > bytes_.size() || size > bytes_.size() - begin) {
      refuse("is damaged: a section ends after its end");
    }
    sections_.push_back(bytes_.subspan(begin, size));
    end = begin + size;
  }
  if (end != bytes_.size()) refuse("is damaged: it goes on after its sections");
}

std::span<const std::byte> Reader::next(std::size_t element_bytes) {
  if (taken_ == sections_.size()) refuse("lacks a section");
  const std::span<const std::byte> section = sections_[taken_++];
  if (section.size() % element_bytes != 0) refuse("has a section of a broken size");
  return section;
}

std::filesystem::path made_folder(const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (!std::filesystem::is_directory(folder)) {
    throw InputError(folder.string(), "is no folder, and can't be made one",
                     "name a folder for prepared files");
  }
  return std::filesystem::absolute(folder);
}

void use_folder(std::filesystem::path folder) {
  // Ranks may be threads of one process. They all name the same folder.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (folder_in_use() != folder) folder_in_use() = std::move(folder);
}

const std::filesystem::path& folder() { return folder_in_use(); }

std::filesystem::path path_of(const Identity& identity) {
  return folder().empty() ? std::filesystem::path() : folder() / identity.file_name();
}

}  // namespace bellmark::prepared
