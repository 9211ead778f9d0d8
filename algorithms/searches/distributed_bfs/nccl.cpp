#include "algorithms/searches/distributed_bfs/nccl.hpp"

#include "base/error.hpp"

#if BELLMARK_HAVE_NCCL
#include <dlfcn.h>
#include <nccl.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <vector>
#endif

namespace bellmark::distributed_bfs {

void NcclGroup::count(std::uint64_t message_count, std::uint64_t sent_element_count) {
  ++traffic_.call_count;
  traffic_.message_count += message_count;
  traffic_.sent_bytes += sent_element_count * sizeof(std::uint32_t);
}

void NcclGroup::all_gather(std::span<std::uint32_t> all, std::span<const std::size_t> offsets,
                           CUstream_st* stream) {
  count(size_ - 1, (offsets[rank_ + 1] - offsets[rank_]) * (size_ - 1));
  if (size_ > 1) do_all_gather(all, offsets, stream);
}

void NcclGroup::all_to_all(std::span<const std::uint32_t> sent,
                           std::span<const std::size_t> send_offsets,
                           std::span<std::uint32_t> received,
                           std::span<const std::size_t> received_offsets, CUstream_st* stream) {
  const std::size_t own = send_offsets[rank_ + 1] - send_offsets[rank_];
  std::uint64_t message_count = 0;
  for (std::size_t to = 0; to < size_; ++to) {
    if (to != rank_ && send_offsets[to] < send_offsets[to + 1]) ++message_count;
  }
  count(message_count, send_offsets.back() - send_offsets.front() - own);
  if (size_ > 1) do_all_to_all(sent, send_offsets, received, received_offsets, stream);
}

void NcclGroup::exchange(std::span<const std::uint32_t> sent, std::size_t to,
                         std::span<std::uint32_t> received, std::size_t from, CUstream_st* stream) {
  count(to == rank_ ? 0 : 1, to == rank_ ? 0 : sent.size());
  do_exchange(sent, to, received, from, stream);
}

#if BELLMARK_HAVE_NCCL

namespace {

#define BELLMARK_NCCL_FUNCTIONS(f) \
  f(ncclGetVersion);               \
  f(ncclGetErrorString);           \
  f(ncclGetLastError);             \
  f(ncclGetUniqueId);              \
  f(ncclCommInitRank);             \
  f(ncclCommDestroy);              \
  f(ncclCommAbort);                \
  f(ncclGroupStart);               \
  f(ncclGroupEnd);                 \
  f(ncclAllGather);                \
  f(ncclSend);                     \
  f(ncclRecv)

struct Functions {
#define BELLMARK_NCCL_DECLARE(name) decltype(&::name) name = nullptr
  BELLMARK_NCCL_FUNCTIONS(BELLMARK_NCCL_DECLARE);
#undef BELLMARK_NCCL_DECLARE
};

/// The result of the search for the library: its functions, or the reason why there are none.
struct Library {
  Functions functions;
  std::string reason;
};

/// The loader's own places first, which LD_LIBRARY_PATH names; then those of CUDA toolkits, which
/// the loader seldom knows.
std::vector<std::string> library_candidates() {
  constexpr std::string_view kName = "libnccl.so.2";
  std::vector<std::string> candidates = {std::string(kName)};
  std::vector<std::string> roots;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* const root = std::getenv(variable)) roots.emplace_back(root);
  }
  roots.emplace_back("/usr/local/cuda");
  for (const std::string& root : roots) {
    for (const char* inside : {"/lib64/", "/lib/"}) {
      candidates.push_back(root + inside + std::string(kName));
    }
  }
#ifdef BELLMARK_NCCL_LIBRARY
  candidates.emplace_back(BELLMARK_NCCL_LIBRARY);
#endif
  return candidates;
}

/// The library stays open: its threads live in it until the process ends.
Library find_library() {
  // Multicast through NVSwitch is set up for all GPUs of a host at once, those of other users too.
  // A program that ends badly can disturb them. Nothing here gains by it: it serves reductions.
  setenv("NCCL_NVLS_ENABLE", "0", 0);
  Library library;
  void* handle = nullptr;
  for (const std::string& file : library_candidates()) {
    handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle != nullptr) break;
    // The first refusal is of the likeliest place; the others mostly repeat that there is no file.
    if (const char* const text = dlerror(); library.reason.empty()) {
      library.reason = text == nullptr ? "unknown error" : text;
    }
  }
  if (handle == nullptr) {
    library.reason = "NCCL can't be opened: " + library.reason +
                     "; install libnccl.so.2 or name its folder in LD_LIBRARY_PATH";
    return library;
  }
  library.reason.clear();
#define BELLMARK_NCCL_FIND(name)                                                    \
  library.functions.name =                                                          \
      reinterpret_cast<decltype(library.functions.name)>(dlsym(handle, #name));     \
  if (library.functions.name == nullptr && library.reason.empty()) {                \
    library.reason = "libnccl.so.2 has no " #name ": NCCL 2.13 or newer is needed"; \
  }
  BELLMARK_NCCL_FUNCTIONS(BELLMARK_NCCL_FIND)
#undef BELLMARK_NCCL_FIND
  return library;
}

const Library& library() {
  static const Library found = find_library();
  return found;
}

const Functions& nccl() { return library().functions; }

void check(ncclResult_t result, std::string_view call) {
  if (result == ncclSuccess) return;
  std::string text = nccl().ncclGetErrorString(result);
  const char* const more = nccl().ncclGetLastError(nullptr);
  if (more != nullptr && *more != '\0') text.append(": ").append(more);
  throw MachineError(call, text, "NCCL_DEBUG=WARN makes NCCL say more");
}

void check(cudaError_t status, std::string_view call) {
  if (status != cudaSuccess) throw MachineError(call, cudaGetErrorString(status));
}

/// Refuses ranks that share a GPU.
void require_gpus_apart(Communicator& ranks) {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  using Identity = std::array<char, sizeof properties.uuid.bytes>;
  Identity own{};
  std::copy(std::begin(properties.uuid.bytes), std::end(properties.uuid.bytes), own.begin());
  const std::vector<Identity> all = ranks.all_gather(own);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    for (std::size_t other = 0; other < rank; ++other) {
      if (all[other] != all[rank]) continue;
      throw UnmetError("NCCL",
                       "ranks " + std::to_string(other) + " and " + std::to_string(rank) +
                           " use the same GPU, which NCCL doesn't allow",
                       "give each rank a GPU of its own");
    }
  }
}

constexpr ncclDataType_t kElement = ncclUint32;

class Group final : public NcclGroup {
 public:
  explicit Group(Communicator& ranks) : NcclGroup(ranks.rank(), ranks.size()) {
    if (const std::string reason = nccl_absence(); !reason.empty()) {
      throw UnmetError("NCCL", reason);
    }
    if (size() == 1) return;
    require_gpus_apart(ranks);
    ncclUniqueId id{};
    if (rank() == 0) check(nccl().ncclGetUniqueId(&id), "ncclGetUniqueId");
    ranks.broadcast(std::span(&id, 1), 0);
    check(nccl().ncclCommInitRank(&communicator_, static_cast<int>(size()), id,
                                  static_cast<int>(rank())),
          "ncclCommInitRank");
  }
  ~Group() override {
    if (communicator_ == nullptr) return;
    // Destroying it waits for calls under way, in which a rank that failed takes no part.
    if (std::uncaught_exceptions() > 0) {
      nccl().ncclCommAbort(communicator_);
    } else {
      nccl().ncclCommDestroy(communicator_);
    }
  }

 private:
  /// One transfer of all parts that `calls` asks for: one after the other they would wait for each
  /// other.
  template <class Calls>
  void together(Calls calls) {
    check(nccl().ncclGroupStart(), "ncclGroupStart");
    try {
      calls();
    } catch (...) {
      nccl().ncclGroupEnd();  // the thread's group would stay open
      throw;
    }
    check(nccl().ncclGroupEnd(), "ncclGroupEnd");
  }
  /// An empty send is left out: the other end knows, too.
  void send(std::span<const std::uint32_t> elements, std::size_t to, cudaStream_t stream) {
    if (elements.empty()) return;
    check(nccl().ncclSend(elements.data(), elements.size(), kElement, static_cast<int>(to),
                          communicator_, stream),
          "ncclSend");
  }
  void receive(std::span<std::uint32_t> elements, std::size_t from, cudaStream_t stream) {
    if (elements.empty()) return;
    check(nccl().ncclRecv(elements.data(), elements.size(), kElement, static_cast<int>(from),
                          communicator_, stream),
          "ncclRecv");
  }

  void do_all_gather(std::span<std::uint32_t> all, std::span<const std::size_t> offsets,
                     CUstream_st* stream) override {
    const std::size_t count = offsets[1] - offsets[0];
    bool even = true;
    for (std::size_t r = 0; r < size(); ++r) even = even && offsets[r + 1] - offsets[r] == count;
    const std::span<std::uint32_t> own =
        all.subspan(offsets[rank()], offsets[rank() + 1] - offsets[rank()]);
    if (even) {
      check(nccl().ncclAllGather(own.data(), all.data() + offsets[0], count, kElement,
                                 communicator_, stream),
            "ncclAllGather");
      return;
    }
    together([&] {
      for (std::size_t r = 0; r < size(); ++r) {
        if (r == rank()) continue;
        send(own, r, stream);
        receive(all.subspan(offsets[r], offsets[r + 1] - offsets[r]), r, stream);
      }
    });
  }

  void do_all_to_all(std::span<const std::uint32_t> sent, std::span<const std::size_t> send_offsets,
                     std::span<std::uint32_t> received,
                     std::span<const std::size_t> received_offsets, CUstream_st* stream) override {
    together([&] {
      for (std::size_t r = 0; r < size(); ++r) {
        if (r == rank()) continue;
        send(sent.subspan(send_offsets[r], send_offsets[r + 1] - send_offsets[r]), r, stream);
        receive(
            received.subspan(received_offsets[r], received_offsets[r + 1] - received_offsets[r]), r,
            stream);
      }
    });
  }

  void do_exchange(std::span<const std::uint32_t> sent, std::size_t to,
                   std::span<std::uint32_t> received, std::size_t from,
                   CUstream_st* stream) override {
    if (to == rank()) {
      check(cudaMemcpyAsync(received.data(), sent.data(), sent.size_bytes(),
                            cudaMemcpyDeviceToDevice, stream),
            "cudaMemcpyAsync");
      return;
    }
    together([&] {
      send(sent, to, stream);
      receive(received, from, stream);
    });
  }

  ncclComm_t communicator_ = nullptr;
};

}  // namespace

std::string nccl_absence() { return library().reason; }

std::string nccl_version() {
  int version = 0;
  if (!nccl_absence().empty() || nccl().ncclGetVersion(&version) != ncclSuccess) return {};
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

std::unique_ptr<NcclGroup> make_nccl_group(Communicator& ranks) {
  return std::make_unique<Group>(ranks);
}

#else

std::string nccl_absence() { return "this build has no NCCL: " BELLMARK_NCCL_REASON; }

std::string nccl_version() { return {}; }

std::unique_ptr<NcclGroup> make_nccl_group(Communicator&) {
  throw UnmetError("NCCL", nccl_absence());
}

#endif

}  // namespace bellmark::distributed_bfs
