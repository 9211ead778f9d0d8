#include "harness/run/supervise/probe_folder.hpp"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/error.hpp"

namespace bellmark::run {

ProbeFolder::ProbeFolder() {
  const char* const variable = std::getenv("TMPDIR");
  const std::string parent = variable == nullptr || *variable == '\0' ? "/tmp" : variable;
  std::string name = parent + "/bellmark-probe-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    throw MachineError(parent, std::string("no folder can be made in it: ") + std::strerror(errno),
                       "let TMPDIR name a folder that may be written");
  }
  path_ = name;
}

ProbeFolder::~ProbeFolder() {
  std::error_code ignored;
  std::filesystem::remove(status(), ignored);
  if (!log_stays_) std::filesystem::remove_all(path_, ignored);
}

}  // namespace bellmark::run
