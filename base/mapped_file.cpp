#include "base/mapped_file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/error.hpp"
#include "base/input.hpp"

namespace bellmark {

MappedFile::MappedFile(const std::filesystem::path& path) {
  const Descriptor file = open_for_reading(path);
  struct stat facts {};
  if (::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) {
    throw InputError(path.string(), "is not a regular file", "copy it to a file first");
  }
  if (facts.st_size == 0) return;  // an empty mapping is an error of mmap's
  const auto size = static_cast<std::size_t>(facts.st_size);
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (address == MAP_FAILED) {
    throw MachineError(path.string(), std::string("cannot map: ") + std::strerror(errno),
                       "check memory limits");
  }
  bytes_ = {static_cast<const std::byte*>(address), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace bellmark
