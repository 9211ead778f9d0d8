// For a program that Bellmark measures without a process start per query. Give bellmark::serve()
// three functions, and it speaks the wire. The header needs C++17, Linux and POSIX alone.
// docs/reference/program-wire.md has the messages, examples/program.cpp a whole program:
//
//   struct Mine {
//     void prepare(const bellmark::worker::Graph& graph);    // not timed: read the graph
//     void answer(const bellmark::worker::Query& query);     // timed: the whole answer, kept here
//     void extract(bellmark::worker::Answer& answer) const;  // not timed: copy the answer out
//   };
//   int main() {
//     Mine mine;
//     return bellmark::serve(mine, {"mine", "1.2", {"sssp"}});
//   }
//
// answer() may return std::chrono::nanoseconds: the program's own time of the query, for example of
// a GPU's events. Bellmark's clock bounds it. A std::exception's text is shown, and ends the talk.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace bellmark {
namespace worker {

/// The version of the wire that this header speaks.
inline constexpr int kWireVersion = 1;
/// The longest line in either direction.
inline constexpr std::size_t kLongestLine = 65536;
/// The distance of a vertex to which no path leads.
inline constexpr std::int64_t kUnreached = std::numeric_limits<std::int64_t>::max();
/// Stands for a vertex where there is none.
inline constexpr std::int64_t kNone = -1;

/// The program's identity. Results show its name and version.
struct Identity {
  std::string name;
  std::string program_version;
  std::vector<std::string> problems;  ///< that it answers: `sssp`, `bfs`, `p2p`
};

/// The graph that is searched.
struct Graph {
  std::string problem;
  std::string file;
  std::string format;             ///< of the file: `gr` is DIMACS text
  std::int64_t first_vertex = 1;  ///< the file's number of its first vertex
  std::map<std::string, std::string> settings;

  /// A setting, or `otherwise` where it was not given.
  std::string setting(const std::string& name, const std::string& otherwise) const {
    const auto found = settings.find(name);
    return found == settings.end() ? otherwise : found->second;
  }
};

/// Vertices count from 0 here and in Answer, whatever the file does.
struct Query {
  std::int64_t source = 0;
  std::int64_t target = kNone;  ///< of `p2p` alone
};

/// Of `sssp` and `bfs`: a distance or level for each vertex, and a predecessor for each, or no
/// predecessors at all. Of `p2p`: one distance, and the path's vertices from the source to the
/// target.
struct Answer {
  std::vector<std::int64_t> distances;     ///< kUnreached where no path leads
  std::vector<std::int64_t> predecessors;  ///< kNone for the source and unreached vertices
  std::vector<std::int64_t> path;          ///< of `p2p`; empty where no path leads
};

namespace detail {

/// A value of JSON, as far as the wire needs it. Objects and strings are kept, other values as
/// their text. Lists are read and dropped: keys of a later version may have them.
struct Json {
  bool is_string = false;
  std::string text;
  std::map<std::string, Json> members;

  const Json* find(const std::string& key) const {
    const auto found = members.find(key);
    return found == members.end() ? nullptr : &found->second;
  }
};

[[noreturn]] inline void fail(const std::string& message) { throw std::runtime_error(message); }

/// Reads one value. Throws std::runtime_error.
class JsonReader {
 public:
  static Json read(std::string_view text) {
    JsonReader reader(text);
    Json json = reader.value(0);
    reader.skip_blanks();
    if (!reader.rest_.empty()) fail("the message goes on after its end");
    return json;
  }

 private:
  explicit JsonReader(std::string_view text) : rest_(text) {}

  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }

  char next() {
    if (rest_.empty()) fail("the message ends too early");
    const char first = rest_[0];
    rest_.remove_prefix(1);
    return first;
  }

  bool take(char wanted) {
    skip_blanks();
    return !rest_.empty() && rest_[0] == wanted && next() == wanted;
  }

  void expect(char wanted) {
    if (!take(wanted)) fail(std::string("the message lacks a ") + wanted);
  }

  Json value(int depth) {
    if (depth > 32) fail("the message nests too deep");
    Json json;
    if (take('{')) {
      for (bool first = true; !take('}'); first = false) {
        if (!first) expect(',');
        expect('"');
        std::string key = string();
        expect(':');
        json.members[std::move(key)] = value(depth + 1);
      }
    } else if (take('[')) {
      for (bool first = true; !take(']'); first = false) {
        if (!first) expect(',');
        value(depth + 1);
      }
    } else if (take('"')) {
      json.is_string = true;
      json.text = string();
    } else {
      const auto end = rest_.find_first_of(",]} \t\r\n");
      json.text = rest_.substr(0, end);
      rest_.remove_prefix(json.text.size());
      if (json.text.empty()) fail("the message lacks a value");
    }
    return json;
  }

  /// Reads a string after its opening quote.
  std::string string() {
    constexpr std::string_view kLetters = "bfnrt";
    constexpr std::string_view kMeanings = "\b\f\n\r\t";
    std::string text;
    for (char c = next(); c != '"'; c = next()) {
      if (c != '\\') {
        text += c;
      } else if (const char letter = next(); letter == 'u') {
        append_utf8(text, code_point());
      } else {
        const auto known = kLetters.find(letter);
        text += known == std::string_view::npos ? letter : kMeanings[known];
      }
    }
    return text;
  }

  unsigned hexadecimal() {
    unsigned number = 0;
    if (rest_.size() < 4) fail("the message ends too early");
    const char* end = rest_.data() + 4;
    if (std::from_chars(rest_.data(), end, number, 16).ptr != end) fail("\\u lacks four digits");
    rest_.remove_prefix(4);
    return number;
  }

  unsigned code_point() {
    const unsigned high = hexadecimal();
    if (high < 0xD800 || high > 0xDBFF) return high;
    if (next() != '\\' || next() != 'u') fail("\\u has half a character");
    return 0x10000 + ((high - 0xD800) << 10) + (hexadecimal() - 0xDC00);
  }

  static void append_utf8(std::string& text, unsigned point) {
    const int more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    constexpr unsigned kFirst[] = {0, 0xC0, 0xE0, 0xF0};
    text += static_cast<char>(kFirst[more] | (point >> (6 * more)));
    for (int i = more - 1; i >= 0; --i) {
      text += static_cast<char>(0x80 | ((point >> (6 * i)) & 0x3F));
    }
  }

  std::string_view rest_;
};

inline std::string json_text(std::string_view text) {
  std::string json = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      json += escape;
      continue;
    }
    if (c == '"' || c == '\\') json += '\\';
    json += c;
  }
  return json + '"';
}

inline std::string text_of(const Json& body, const std::string& key) {
  const Json* found = body.find(key);
  if (found == nullptr || !found->is_string) fail("the text '" + key + "' is missing");
  return found->text;
}

inline std::int64_t number_of(const Json& body, const std::string& key) {
  const Json* found = body.find(key);
  const std::string text = found == nullptr || found->is_string ? "" : found->text;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  fail("the whole number '" + key + "' is missing");
}

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "binary answers are little-endian");

inline void write_numbers(std::FILE* file, const std::vector<std::int64_t>& numbers,
                          std::int64_t added) {
  for (const std::int64_t number : numbers) {
    const std::int64_t written = number == kNone ? kNone : number + added;
    std::fwrite(&written, sizeof written, 1, file);
  }
}

inline void write_lines(std::FILE* file, const Answer& answer, std::int64_t first_vertex) {
  const auto vertex = [&](std::int64_t v) {
    return v == kNone ? std::string("-") : std::to_string(v + first_vertex);
  };
  for (std::size_t i = 0; i < answer.distances.size(); ++i) {
    const std::int64_t distance = answer.distances[i];
    std::string line = distance == kUnreached ? "inf" : std::to_string(distance);
    if (!answer.predecessors.empty()) line += ' ' + vertex(answer.predecessors[i]);
    std::fputs((line + '\n').c_str(), file);
  }
  for (const std::int64_t v : answer.path) std::fputs((vertex(v) + '\n').c_str(), file);
}

/// docs/reference/program-wire.md has both forms.
inline void write_answer(const std::string& path, const std::string& form, const Answer& answer,
                         std::int64_t first_vertex) {
  if (form != "text" && form != "binary") fail("the form '" + form + "' is not known");
  if (!answer.predecessors.empty() && answer.predecessors.size() != answer.distances.size()) {
    fail("the numbers of predecessors and of distances differ");
  }
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), std::fclose);
  if (!file) fail(path + " can't be written");
  if (form == "text") {
    write_lines(file.get(), answer, first_vertex);
  } else {
    write_numbers(file.get(), answer.distances, 0);
    write_numbers(file.get(), answer.predecessors, first_vertex);
    write_numbers(file.get(), answer.path, first_vertex);
  }
  const bool failed = std::ferror(file.get()) != 0;
  if (std::fclose(file.release()) != 0 || failed) fail(path + " can't be written");
}

/// One conversation: requests from `in`, answers to `out`.
template <class Program>
class Conversation {
 public:
  Conversation(std::FILE* in, std::FILE* out, Program& program, const Identity& identity)
      : in_(in), out_(out), program_(program), identity_(identity) {}

  /// The exit code of the program: 0 when the other side closed its end.
  int serve() {
    try {
      for (std::string line; read(line);) say(reply(JsonReader::read(line)));
      return 0;
    } catch (const std::exception& error) {
      say("{\"error\":{\"message\":" + json_text(error.what()) + "}}");
      return 1;
    }
  }

 private:
  bool read(std::string& line) {
    line.clear();
    for (int c = std::fgetc(in_); c != EOF; c = std::fgetc(in_)) {
      if (c == '\n') return true;
      line += static_cast<char>(c);
      if (line.size() > kLongestLine) fail("the message is too long");
    }
    return false;
  }

  void say(const std::string& message) {
    std::fputs((message + '\n').c_str(), out_);
    std::fflush(out_);
  }

  std::string reply(const Json& message) {
    if (const Json* hello = message.find("hello")) return on_hello(*hello);
    if (graph_.problem.empty()) fail("the first message is no 'hello'");
    if (const Json* prepare = message.find("prepare")) return on_prepare(*prepare);
    if (const Json* query = message.find("query")) return on_query(*query);
    if (const Json* extract = message.find("extract")) return on_extract(*extract);
    fail("the message is not known");
  }

  std::string on_hello(const Json& body) {
    if (number_of(body, "version") != kWireVersion) {
      fail("it speaks no version of the wire but " + std::to_string(kWireVersion));
    }
    const std::string problem = text_of(body, "problem");
    const std::vector<std::string>& known = identity_.problems;
    if (std::find(known.begin(), known.end(), problem) == known.end()) {
      fail(identity_.name + " does not answer the problem '" + problem + "'");
    }
    graph_.problem = problem;
    return "{\"hello\":{\"version\":" + std::to_string(kWireVersion) +
           ",\"name\":" + json_text(identity_.name) +
           ",\"program_version\":" + json_text(identity_.program_version) +
           ",\"forms\":[\"text\",\"binary\"]}}";
  }

  std::string on_prepare(const Json& body) {
    graph_.file = text_of(body, "graph");
    graph_.format = text_of(body, "format");
    graph_.first_vertex = number_of(body, "first_vertex");
    graph_.settings.clear();
    if (const Json* settings = body.find("settings")) {
      for (const auto& [name, value] : settings->members) graph_.settings[name] = value.text;
    }
    program_.prepare(static_cast<const Graph&>(graph_));
    return "{\"prepared\":{}}";
  }

  std::string on_query(const Json& body) {
    Query query;
    query.source = number_of(body, "source") - graph_.first_vertex;
    if (body.find("target")) query.target = number_of(body, "target") - graph_.first_vertex;
    if constexpr (std::is_void_v<decltype(program_.answer(query))>) {
      program_.answer(query);
      return "{\"answered\":{}}";
    } else {
      const std::chrono::nanoseconds taken = program_.answer(query);
      return "{\"answered\":{\"time_ns\":" + std::to_string(taken.count()) + "}}";
    }
  }

  std::string on_extract(const Json& body) {
    Answer answer;
    static_cast<const Program&>(program_).extract(answer);
    write_answer(text_of(body, "file"), text_of(body, "form"), answer, graph_.first_vertex);
    return "{\"extracted\":{}}";
  }

  std::FILE* in_;
  std::FILE* out_;
  Program& program_;
  const Identity& identity_;
  Graph graph_;
};

}  // namespace detail
}  // namespace worker

/// Answers Bellmark until it closes standard input. The program's output to standard output goes to
/// standard error, which is its log: standard output is the wire. Returns main()'s exit code.
template <class Program>
int serve(Program& program, const worker::Identity& identity) {
  std::fflush(stdout);
  const int wire = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  std::FILE* out = wire < 0 ? nullptr : ::fdopen(wire, "w");
  if (out == nullptr || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return 1;
  const int code = worker::detail::Conversation<Program>(stdin, out, program, identity).serve();
  std::fclose(out);
  return code;
}

}  // namespace bellmark
