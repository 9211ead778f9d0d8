// The only file that includes Boost.Beast and Asio, which take long to compile.
#include "harness/serve/http.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <cctype>
#include <chrono>
#include <csignal>
#include <optional>
#include <unordered_set>
#include <utility>

#include "base/error.hpp"
#include "harness/serve/limits.hpp"

namespace bellmark::serve {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; manifest-src 'self'; "
    "worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Each connection takes a descriptor, and shells often allow 1,024.
void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::string lowered(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

struct Shared;

/// One connection: its requests, one after another.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, Shared& shared);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Waits for a request.
  void wait();
  /// Refuses the connection because there are too many, and closes it.
  void turn_away();
  /// Ends it. A request that has come whole is answered first.
  void end();

 private:
  using Parser = http::request_parser<http::string_body>;

  void start_timer(std::chrono::seconds time);
  void read_header();
  void on_header(error_code error);
  void read_body();
  void on_request(error_code error);
  void on_fault(error_code error);
  /// Why the request's headers are refused; nothing if they are not.
  std::optional<Refusal> refusal() const;
  /// Sends an error, and closes: further bytes of the client are not a request.
  void refuse(const Refusal& refusal);
  void send(Answer answer);
  void on_sent(error_code error);
  void drain();
  void close();

  tcp::socket socket_;
  Shared& shared_;
  asio::steady_timer timer_;
  boost::beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  http::response<http::string_body> response_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
  std::string path_ = "other";
  Clock::time_point begin_;
  bool is_idle_ = true;  ///< it has no whole request to answer
  bool is_timed_out_ = false;
  bool is_last_ = false;  ///< of the connection's requests
  bool is_counted_ = true;
  bool is_head_ = false;
};

struct Shared {
  HttpSettings settings;
  Connections connections;
  std::size_t turned_away = 0;
  std::unordered_set<Session*> sessions;
  Api* api = nullptr;
  bool is_ending = false;
  asio::io_context context{1};
  asio::steady_timer last{context};  ///< when it ends, whatever is open
};

Session::Session(tcp::socket socket, Shared& shared)
    : socket_(std::move(socket)), shared_(shared), timer_(shared.context) {
  shared_.sessions.insert(this);
  shared_.connections.open = shared_.sessions.size() - shared_.turned_away;
}

Session::~Session() {
  shared_.sessions.erase(this);
  if (!is_counted_) --shared_.turned_away;
  shared_.connections.open = shared_.sessions.size() - shared_.turned_away;
  if (shared_.is_ending && shared_.sessions.empty()) shared_.last.cancel();
}

void Session::start_timer(std::chrono::seconds time) {
  is_timed_out_ = false;
  timer_.expires_after(time);
  timer_.async_wait([self = shared_from_this()](error_code error) {
    if (error || Clock::now() < self->timer_.expiry()) return;
    self->is_timed_out_ = true;
    error_code ignored;
    self->socket_.cancel(ignored);
  });
}

void Session::wait() {
  if (shared_.is_ending) return close();
  is_idle_ = true;
  is_head_ = false;
  path_ = "other";
  if (buffer_.size() != 0) return read_header();  // sent with the request before
  start_timer(kTimeBetween);
  constexpr std::size_t kFirst = 4096;
  socket_.async_read_some(buffer_.prepare(kFirst),
                          [self = shared_from_this()](error_code error, std::size_t count) {
                            if (error) return self->close();
                            self->buffer_.commit(count);
                            self->read_header();
                          });
}

void Session::read_header() {
  begin_ = Clock::now();
  parser_.emplace();
  parser_->header_limit(kMostHeaderBytes);
  parser_->body_limit(kMostBodyBytes);
  start_timer(kTimeToSend);
  http::async_read_header(
      socket_, buffer_, *parser_,
      [self = shared_from_this()](error_code error, std::size_t) { self->on_header(error); });
}

void Session::on_header(error_code error) {
  if (error) return on_fault(error);
  is_head_ = parser_->get().method() == http::verb::head;
  path_ = Api::counted_path(std::string(parser_->get().target()));
  if (const auto refused = refusal()) return refuse(*refused);
  if (lowered(std::string(parser_->get()[http::field::expect])) != "100-continue") {
    return read_body();
  }
  static constexpr std::string_view kGoOn = "HTTP/1.1 100 Continue\r\n\r\n";
  asio::async_write(socket_, asio::buffer(kGoOn),
                    [self = shared_from_this()](error_code failed, std::size_t) {
                      if (failed) return self->close();
                      self->read_body();
                    });
}

void Session::read_body() {
  http::async_read(
      socket_, buffer_, *parser_,
      [self = shared_from_this()](error_code error, std::size_t) { self->on_request(error); });
}

std::optional<Refusal> Session::refusal() const {
  const auto& request = parser_->get();
  const std::string host(request[http::field::host]);
  if (!is_own_host(host, shared_.settings.hosts)) {
    return Refusal(421, "wrong-host", "this server is not '" + host + "'", "Host",
                   "ask by its address, or start it with --host NAME");
  }
  if (const std::string origin(request[http::field::origin]); !origin.empty()) {
    const std::size_t slashes = origin.find("://");
    const bool is_own = slashes != std::string::npos &&
                        is_own_host(origin.substr(slashes + 3), shared_.settings.hosts);
    if (!is_own) {
      return Refusal(403, "wrong-origin", "pages of " + origin + " may not ask this server",
                     "Origin", "ask from its own page, or from a program");
    }
  }
  if (request.method() != http::verb::post) return std::nullopt;
  const std::string type = lowered(std::string(request[http::field::content_type]));
  if (type == "application/json" || type.starts_with("application/json;")) return std::nullopt;
  return Refusal(415, "wrong-type", "the body is said to be '" + type + "'", "Content-Type",
                 "send application/json");
}

void Session::on_request(error_code error) {
  if (error) return on_fault(error);
  timer_.cancel();
  is_idle_ = false;
  const auto& request = parser_->get();
  is_last_ = !request.keep_alive();
  Request asked{std::string(request.method_string()), std::string(request.target()),
                std::move(parser_->get().body())};
  // Without a guard the server would end before another thread's answer.
  shared_.api->handle(
      std::move(asked), [self = shared_from_this(),
                         guard = asio::make_work_guard(shared_.context)](Answer answer) mutable {
        // The session goes along: it ends on the thread of the context, and no other thread has it.
        asio::io_context& context = self->shared_.context;
        asio::dispatch(context, [self = std::move(self), answer = std::move(answer)]() mutable {
          self->send(std::move(answer));
        });
      });
}

void Session::on_fault(error_code error) {
  if (is_timed_out_) {
    return refuse(
        {408, "too-slow",
         "the request took more than " + std::to_string(kTimeToSend.count()) + " s to come", "",
         "send it at once"});
  }
  if (error == http::error::header_limit) {
    return refuse({431, "headers-too-large",
                   "the headers have more than " + std::to_string(kMostHeaderBytes) + " bytes", "",
                   "send fewer or shorter ones"});
  }
  if (error == http::error::body_limit) {
    return refuse({413, "too-large",
                   "the body has more than " + std::to_string(kMostBodyBytes) + " bytes", "",
                   "send less, or several requests"});
  }
  if (error.category() == make_error_code(http::error::bad_method).category() &&
      error != http::error::end_of_stream && error != http::error::partial_message) {
    return refuse(
        {400, "bad-request", "this is no HTTP request: " + error.message(), "", "send HTTP/1.1"});
  }
  close();
}

void Session::refuse(const Refusal& refusal) {
  is_last_ = true;
  send(answer_of(refusal));
}

void Session::send(Answer answer) {
  response_ = {};
  response_.version(11);
  response_.result(answer.status);
  response_.set(http::field::server, "bellmark");
  response_.set("X-Content-Type-Options", "nosniff");
  response_.set("Cross-Origin-Resource-Policy", "same-origin");
  response_.set(http::field::cache_control, answer.is_cacheable ? "max-age=300" : "no-store");
  if (!answer.body.empty()) response_.set(http::field::content_type, answer.type);
  if (answer.type.starts_with("text/html") || answer.type == "image/svg+xml") {
    response_.set("Content-Security-Policy", kPolicy);
    response_.set("Referrer-Policy", "no-referrer");
  }
  if (answer.retry_after_seconds > 0) {
    response_.set(http::field::retry_after, std::to_string(answer.retry_after_seconds));
  }
  if (!answer.allowed.empty()) response_.set(http::field::allow, answer.allowed);
  response_.keep_alive(!is_last_ && !shared_.is_ending);
  response_.body() = std::move(answer.body);
  response_.prepare_payload();
  if (is_counted_ && shared_.api != nullptr) {
    const std::chrono::duration<double, std::milli> taken = Clock::now() - begin_;
    shared_.api->count(path_, answer.status, taken.count());
  }
  start_timer(kTimeToRead);
  serializer_.emplace(response_);
  const auto done = [self = shared_from_this()](error_code error, std::size_t) {
    self->on_sent(error);
  };
  if (is_head_) {
    serializer_->split(true);
    http::async_write_header(socket_, *serializer_, done);
  } else {
    http::async_write(socket_, *serializer_, done);
  }
}

void Session::on_sent(error_code error) {
  timer_.cancel();
  if (error) return close();
  if (response_.keep_alive()) return wait();
  error_code ignored;
  socket_.shutdown(tcp::socket::shutdown_send, ignored);
  constexpr std::chrono::seconds kTimeToTake{2};
  buffer_.clear();
  start_timer(kTimeToTake);
  drain();
}

/// If a socket closes while the client still sends, the client loses an answer that it has not read
/// yet. So incoming bytes are read and dropped for a while.
void Session::drain() {
  constexpr std::size_t kBlock = std::size_t{1} << 16;
  buffer_.clear();
  socket_.async_read_some(buffer_.prepare(kBlock),
                          [self = shared_from_this()](error_code error, std::size_t) {
                            if (error) return self->close();
                            self->drain();
                          });
}

void Session::turn_away() {
  is_counted_ = false;
  ++shared_.turned_away;
  ++shared_.connections.refused;
  shared_.connections.open = shared_.sessions.size() - shared_.turned_away;
  refuse(
      {503, "busy",
       "more than " + std::to_string(shared_.settings.connection_limit) + " connections are open",
       "", "ask again in a second"});
}

void Session::end() {
  is_last_ = true;
  if (is_idle_) close();
}

void Session::close() {
  timer_.cancel();
  error_code ignored;
  socket_.close(ignored);
}

}  // namespace

bool is_own_host(const std::string& host, const std::set<std::string>& hosts) {
  std::string name = lowered(host);
  const std::size_t bracket = name.find(']');
  const std::size_t colon = name.find(':', bracket == std::string::npos ? 0 : bracket);
  if (colon != std::string::npos) {
    const std::string port = name.substr(colon + 1);
    const bool is_port = port.size() <= 5 && std::ranges::all_of(port, [](unsigned char c) {
                           return std::isdigit(c) != 0;
                         });
    if (!is_port) return false;
    name.resize(colon);
  }
  return name == "localhost" || name == "127.0.0.1" || name == "[::1]" || hosts.contains(name);
}

struct HttpServer::Parts : Shared {
  std::optional<tcp::acceptor> acceptor;
  std::optional<asio::signal_set> signals;
  std::optional<asio::steady_timer> pause;

  void accept();
  void on_accept(error_code error, tcp::socket socket);
  void end(std::atomic<bool>& stop);
};

void HttpServer::Parts::accept() {
  acceptor->async_accept(
      [this](error_code error, tcp::socket socket) { on_accept(error, std::move(socket)); });
}

void HttpServer::Parts::on_accept(error_code error, tcp::socket socket) {
  if (is_ending) return;
  if (error) {
    // Most likely no descriptor is left. One will be free soon.
    constexpr std::chrono::milliseconds kPause{100};
    pause->expires_after(kPause);
    pause->async_wait([this](error_code stopped) {
      if (!stopped && !is_ending) accept();
    });
    return;
  }
  socket.set_option(tcp::no_delay(true), error);
  constexpr std::size_t kMostTurnedAway = 64;  // at a time; more are closed without a word
  if (connections.open < settings.connection_limit) {
    std::make_shared<Session>(std::move(socket), *this)->wait();
  } else if (turned_away < kMostTurnedAway) {
    std::make_shared<Session>(std::move(socket), *this)->turn_away();
  } else {
    ++connections.refused;
  }
  accept();
}

void HttpServer::Parts::end(std::atomic<bool>& stop) {
  if (is_ending) return;
  is_ending = true;
  api->set_stopping();
  error_code ignored;
  acceptor->close(ignored);
  pause->cancel();
  signals->cancel(ignored);
  // Ending a session may end another, so the loop has a copy.
  for (Session* const session : std::vector<Session*>(sessions.begin(), sessions.end())) {
    if (sessions.contains(session)) session->end();
  }
  if (sessions.empty()) return;
  last.expires_after(kTimeToEnd);
  last.async_wait([this, &stop](error_code error) {
    if (error) return;  // nothing is open
    stop = true;        // searches end with an answer that says so
    constexpr std::chrono::seconds kTimeToSay{1};
    last.expires_after(kTimeToSay);
    last.async_wait([this](error_code none_left) {
      if (!none_left) context.stop();
    });
  });
}

HttpServer::HttpServer(HttpSettings settings) : parts_(std::make_unique<Parts>()) {
  raise_descriptor_limit();
  error_code error;
  const auto address = asio::ip::make_address(settings.address, error);
  if (error) {
    throw InputError("--listen", "'" + settings.address + "' is no address",
                     "write one such as 127.0.0.1 or ::1");
  }
  const std::string shown = address.is_v6() ? "[" + address.to_string() + "]" : address.to_string();
  settings.hosts.insert(shown);
  parts_->settings = std::move(settings);
  parts_->connections.limit = parts_->settings.connection_limit;
  const tcp::endpoint endpoint(address, parts_->settings.port);
  parts_->acceptor.emplace(parts_->context);
  parts_->acceptor->open(endpoint.protocol(), error);
  if (!error) parts_->acceptor->set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) parts_->acceptor->bind(endpoint, error);
  if (!error) parts_->acceptor->listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    throw MachineError(shown + ":" + std::to_string(parts_->settings.port), error.message(),
                       "name another port with --port, or 0 for any that is free");
  }
  parts_->pause.emplace(parts_->context);
}

HttpServer::~HttpServer() = default;

std::string HttpServer::url() const {
  const tcp::endpoint endpoint = parts_->acceptor->local_endpoint();
  const std::string address = endpoint.address().to_string();
  return "http://" + (endpoint.address().is_v6() ? "[" + address + "]" : address) + ":" +
         std::to_string(endpoint.port()) + "/";
}

const Connections& HttpServer::connections() const { return parts_->connections; }

void HttpServer::take_signals() { parts_->signals.emplace(parts_->context, SIGTERM, SIGINT); }

void HttpServer::run(Api& api, std::atomic<bool>& stop) {
  parts_->api = &api;
  parts_->signals->async_wait([this, &stop](error_code error, int) {
    if (!error) parts_->end(stop);
  });
  parts_->accept();
  parts_->context.run();
  parts_->is_ending = false;  // remaining sessions end with the context, without their timers
}

}  // namespace bellmark::serve
