#include "harness/run/session/console_progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "base/installation.hpp"
#include "base/terminal.hpp"
#include "base/text.hpp"
#include "harness/report/format.hpp"

namespace bellmark::run {

std::string time_left_text(double seconds) {
  constexpr double kMinute = 60;
  constexpr long kHour = 60;  // minutes
  if (seconds < 1.5 * kMinute) return std::to_string(std::lround(seconds)) + " s";
  const long minutes = std::lround(seconds / kMinute);
  if (minutes < 2 * kHour) return std::to_string(minutes) + " min";
  return std::to_string(minutes / kHour) + " h " + std::to_string(minutes % kHour) + " min";
}

ConsoleProgress::ConsoleProgress(const plan::Plan& plan, bool quiet, const Among& among)
    : plan_(plan), among_(among), quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1) {}

ConsoleProgress::~ConsoleProgress() { clear(); }

void ConsoleProgress::replicate(const Task& task, std::size_t finished, std::size_t total,
                                std::optional<double> remaining_s) {
  if (quiet_) return;
  head_.clear();
  if (among_.count > 1) {
    head_ = "experiment " + std::to_string(among_.index) + " of " + std::to_string(among_.count) +
            ", " + time_left_text(remaining_s.value_or(among_.own_s) + among_.later_s) + " left  ";
  }
  head_ += plan_.experiment.id + "  " + std::to_string(finished + 1) + "/" + std::to_string(total) +
           "  " + to_string(task.pass);
  if (task.pass == Pass::timed) {
    const std::size_t blocks = plan_.block_count;
    const bool is_fresh = task.block >= blocks;
    head_ += (is_fresh ? " fresh block " : " block ") +
             std::to_string(task.block - (is_fresh ? blocks : 0) + 1) + "/" +
             std::to_string(blocks);
    if (task.key.ends_with(kAgain)) head_ += " again, it was disturbed";
  } else {
    head_ += " pass";
  }
  if (remaining_s) head_ += ", " + time_left_text(*remaining_s) + " left";
  // Blocks of the other passes are short, so the line does not number them.
  const bool is_news =
      task.pass != shown_pass_ || (task.pass == Pass::timed && task.block != shown_block_);
  shown_pass_ = task.pass;
  shown_block_ = task.block;
  if (terminal_) {
    draw(head_);
  } else if (is_news) {
    std::cerr << head_ << "\n";
  }
}

void ConsoleProgress::estimate(const std::map<std::string, double>& query_ns) {
  if (quiet_ || !terminal_ || query_ns.empty()) return;
  const auto& [id, ns] = *query_ns.begin();
  std::string text = head_ + "  ";
  const auto cell = std::ranges::find(plan_.cells, id, &plan::Cell::id);
  if (cell != plan_.cells.end()) text += cell->label + ": ";
  text += report::duration_text(ns);
  // The spread over the blocks so far, if there is one.
  auto& seen = estimates_[id];
  seen.push_back(ns);
  if (seen.size() > 1) {
    const auto [low, high] = std::ranges::minmax(seen);
    text += " (" + report::duration_text(low) + " to " + report::duration_text(high) + ")";
  }
  draw(text);
}

void ConsoleProgress::problem(const std::string& text) {
  clear();
  constexpr std::size_t kLongest = 2000;
  std::cerr << installation().name << ": " << printable(text, kLongest) << "\n";
}

void ConsoleProgress::draw(const std::string& text) {
  const std::size_t columns = terminal_columns(STDERR_FILENO).value_or(kLogColumns);
  // A full line would leave the cursor on the next line of some terminals.
  std::cerr << "\r\033[K" << first_columns(text, columns - 1) << std::flush;
  drawn_ = true;
}

void ConsoleProgress::clear() {
  if (drawn_) std::cerr << "\r\033[K" << std::flush;
  drawn_ = false;
}

}  // namespace bellmark::run
