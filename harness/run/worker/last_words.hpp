// The last words of a worker that a signal kills: the query that it was at.
#pragma once

#include <string>

namespace bellmark::run {

/// After this call, a signal that ends the process (a bad access, an abort, a full stack) first
/// writes the last words to `event_fd`. Handlers that others installed stay.
void install_last_words(int event_fd);

/// The line to write; null for none. It must stay unchanged until the next call. The call costs one
/// store, so it may be within the time.
void set_last_words(const std::string* line);

}  // namespace bellmark::run
