// HTTP/1.1 by one thread and Boost.Beast: reads requests within their limits, checks their origin,
// and sends answers. The Api gives them their meaning.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "harness/serve/answer.hpp"
#include "harness/serve/api.hpp"

namespace bellmark::serve {

struct HttpSettings {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;            ///< 0: any that is free
  std::set<std::string> hosts = {};  ///< names that a Host header may have, beside loopback's
  std::size_t connection_limit = 0;
};

class HttpServer {
 public:
  /// Listens. Throws InputError for an invalid address, MachineError if it is not available.
  explicit HttpServer(HttpSettings settings);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// `http://127.0.0.1:8080/`
  std::string url() const;
  const Connections& connections() const;

  /// From here on SIGTERM and SIGINT end run(), also before it has begun.
  void take_signals();

  /// Serves until SIGTERM or SIGINT, after take_signals(). Then it answers open requests for
  /// kTimeToEnd, after which it sets `stop`.
  void run(Api& api, std::atomic<bool>& stop);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// True if a Host header names this server: loopback or one of `hosts`, with any port.
bool is_own_host(const std::string& host, const std::set<std::string>& hosts);

}  // namespace bellmark::serve
