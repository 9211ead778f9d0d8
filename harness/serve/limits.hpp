// The limits of one request, one client and one answer. Each limit has its answer: the reference
// page of routes lists them.
#pragma once

#include <chrono>
#include <cstddef>

namespace bellmark::serve {

inline constexpr std::size_t kMostBodyBytes = 1'000'000;     ///< 413
inline constexpr std::size_t kMostHeaderBytes = 16'384;      ///< 431
inline constexpr std::size_t kMostAnswerBytes = 10'000'000;  ///< 413
inline constexpr std::size_t kMostConnections = 1'024;       ///< 503
inline constexpr std::size_t kMostDepth = 32;                ///< of JSON; 400, as all below
inline constexpr std::size_t kMostViaPoints = 25;
inline constexpr std::size_t kMostMatrixSide = 100;
inline constexpr std::size_t kMostPolygons = 100;
inline constexpr std::size_t kMostCorners = 1'000;  ///< of all polygons together
inline constexpr std::size_t kMostClosedRoads = 1'000;
inline constexpr std::size_t kMostLimits = 10;  ///< of /api/reach
inline constexpr std::size_t kMostEvents = 200'000;

inline constexpr std::chrono::seconds kTimeToSend{10};    ///< a request, from its first byte; 408
inline constexpr std::chrono::seconds kTimeToRead{30};    ///< an answer
inline constexpr std::chrono::seconds kTimeBetween{75};   ///< requests of one connection
inline constexpr std::chrono::seconds kTimeToSearch{60};  ///< of /api/search, once prepared; 503
inline constexpr std::chrono::seconds kTimeToEnd{5};      ///< open answers, when the server ends
inline constexpr int kRetryAfterSeconds = 1;

}  // namespace bellmark::serve
