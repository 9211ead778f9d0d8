// CUPTI, NVIDIA's profiling library. It is opened at run time, so that nothing is linked to it. Its
// errors get words with a remedy.
#include "harness/sinks/cupti.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#if BELLMARK_HAVE_CUPTI
#include <dlfcn.h>

#include <cstdlib>

#include "base/text.hpp"
#include "harness/sinks/cupti_api.hpp"
#endif

namespace bellmark::sinks::cupti {
namespace {

/// The remedy for errors that a person or an administrator can mend. The numbers are CUptiResult's,
/// which are fixed.
std::string_view remedy(int code) {
  switch (code) {
    case 15:  // CUPTI_ERROR_NOT_INITIALIZED
      return "install a driver that is as new as this CUPTI, or set BELLMARK_CUPTI to an older one";
    case 23:  // CUPTI_ERROR_DISABLED
    case 26:  // CUPTI_ERROR_HARDWARE_BUSY
    case 39:  // CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
      return "stop other profilers (ncu, nsys, cuda-gdb; dcgmi profile --pause)";
    case 33:  // CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED
    case 40:  // CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES
      return "an administrator of the hypervisor can allow profiling of this virtual GPU";
    case 35:  // CUPTI_ERROR_INSUFFICIENT_PRIVILEGES
      return "run as root or with CAP_SYS_ADMIN, or an administrator allows all users: option "
             "NVreg_RestrictProfilingToAdminUsers=0 of the kernel module nvidia";
    case 41:  // CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED
      return "an administrator can switch confidential computing off";
    case 43:  // CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED
      return "use a whole GPU instead of a MIG slice";
    default:
      return {};
  }
}

/// Toolkits in `folder` (cuda-12.9, cuda-13.0), newest first.
std::vector<std::filesystem::path> toolkits(const std::filesystem::path& folder) {
  std::vector<std::pair<std::pair<int, int>, std::filesystem::path>> found;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    int major = 0;
    int minor = 0;
    if (std::sscanf(name.c_str(), "cuda-%d.%d", &major, &minor) == 2) {
      found.push_back({{major, minor}, entry->path()});
    }
  }
  std::ranges::sort(found, std::greater<>());
  std::vector<std::filesystem::path> paths;
  paths.reserve(found.size());
  for (auto& [version, path] : found) paths.push_back(std::move(path));
  return paths;
}

}  // namespace

std::string failure_text(std::string_view call, int code, std::string_view text) {
  std::string reason(call);
  reason.append(": ").append(text).append(" (").append(std::to_string(code)).append(")");
  const std::string_view action = remedy(code);
  if (!action.empty()) reason.append("; ").append(action);
  return reason;
}

std::vector<std::string> library_candidates(const std::string& given, const std::string& root) {
  if (!given.empty()) return {given};
  std::vector<std::string> candidates;
#ifdef BELLMARK_CUPTI_LIBRARY
  candidates.emplace_back(BELLMARK_CUPTI_LIBRARY);
#endif
  candidates.insert(candidates.end(), {"libcupti.so.13", "libcupti.so"});
  const std::string local = root + "/usr/local";
  std::vector<std::filesystem::path> folders = toolkits(local);
  folders.insert(folders.begin(), local + "/cuda");
  for (const std::filesystem::path& folder : folders) {
    for (const char* inside : {"lib64", "extras/CUPTI/lib64"}) {
      candidates.push_back((folder / inside / "libcupti.so").string());
    }
  }
  return candidates;
}

#if BELLMARK_HAVE_CUPTI

namespace {

/// The result of the search for the library: its functions, or why there are none.
struct Library {
  Api api;
  std::string reason;
};

/// The last error of dlopen() and dlsym(), which must be read at once.
std::string loader_error() {
  const char* const text = dlerror();
  return text == nullptr ? "unknown error" : text;
}

/// "" when `file` is a libcupti whose records and structures match our headers.
std::string open_library(const std::string& file, Api& functions) {
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return loader_error();
  std::string missing;
#define BELLMARK_CUPTI_FIND(name)                                                    \
  functions.name = reinterpret_cast<decltype(functions.name)>(dlsym(handle, #name)); \
  if (functions.name == nullptr && missing.empty()) missing = #name
  BELLMARK_CUPTI_FUNCTIONS(BELLMARK_CUPTI_FIND);
#undef BELLMARK_CUPTI_FIND
  // The layout of records changes with the major version, and grows at the end within one.
  constexpr std::uint32_t kMajor = 10000;
  std::uint32_t version = 0;
  if (functions.cuptiGetVersion != nullptr) functions.cuptiGetVersion(&version);
  if (version / kMajor != CUPTI_API_VERSION / kMajor) {
    return file + " has version " + std::to_string(version) + ", Bellmark was built for " +
           std::to_string(CUPTI_API_VERSION);
  }
  return missing.empty() ? "" : file + " has no " + missing;
}

Library find_library() {
  const char* const given = std::getenv("BELLMARK_CUPTI");
  std::vector<std::string> refusals;
  for (const std::string& file : library_candidates(given == nullptr ? "" : given)) {
    Library library;
    const std::string refusal = open_library(file, library.api);
    if (refusal.empty()) return library;
    refusals.push_back(refusal);
  }
  // The first refusal is of the likeliest place. The others mostly repeat that there is no file.
  return {{},
          "libcupti can't be opened: " + refusals.front() +
              "; install the CUPTI of CUDA 13 or set BELLMARK_CUPTI to its libcupti.so"};
}

const Library& library() {
  static const Library found = find_library();
  return found;
}

/// The driver's functions, if something in this process has opened it. CUDA's runtime opens it at
/// its first use.
template <class Function>
Function driver_function(const char* name) {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (driver == nullptr) throw Failure("no CUDA context: nothing in this process has used CUDA");
  void* const function = dlsym(driver, name);
  dlclose(driver);  // one reference less; the runtime keeps its own
  if (function == nullptr) throw Failure(std::string("the CUDA driver has no ") + name);
  return reinterpret_cast<Function>(function);
}

void check_driver(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  const char* text = nullptr;
  driver_function<CUresult (*)(CUresult, const char**)>("cuGetErrorString")(result, &text);
  throw Failure(std::string(call) + ": " + (text == nullptr ? "error" : text) + " (" +
                std::to_string(result) + ")");
}

}  // namespace

const Api& api() {
  if (!library().reason.empty()) throw Failure(library().reason);
  return library().api;
}

void check(CUptiResult result, const char* call) {
  if (result == CUPTI_SUCCESS) return;
  const char* name = nullptr;
  const char* message = nullptr;
  api().cuptiGetResultString(result, &name);
  api().cuptiGetErrorMessage(result, &message);
  std::string text = name == nullptr ? "error" : name;
  // The message repeats the name if there is nothing more to say. Some messages span lines.
  if (message != nullptr && text != message) text.append(": ").append(message);
  std::ranges::replace(text, '\n', ' ');
  throw Failure(failure_text(call, result, trim(text)));
}

Context current_context() {
  Context current;
  check_driver(driver_function<CUresult (*)(CUcontext*)>("cuCtxGetCurrent")(&current.context),
               "cuCtxGetCurrent");
  if (current.context == nullptr) throw Failure("no CUDA context: this thread has not used CUDA");
  check_driver(driver_function<CUresult (*)(CUdevice*)>("cuCtxGetDevice")(&current.device),
               "cuCtxGetDevice");
  return current;
}

void synchronize_context() {
  check_driver(driver_function<CUresult (*)()>("cuCtxSynchronize")(), "cuCtxSynchronize");
}

std::string unavailable() { return library().reason; }

#else

std::string unavailable() { return "built without CUPTI: " BELLMARK_CUPTI_REASON; }

#endif

}  // namespace bellmark::sinks::cupti
