// Common parts of tests and fuzz targets of this layer.
#pragma once

#include <zlib.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "graph/graph.hpp"

namespace bellmark {

/// Row by row, in their order in the graph.
inline std::vector<Arc> arcs_of(const Graph& graph) {
  std::vector<Arc> arcs;
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      arcs.push_back({u, graph.heads()[e], graph.length(e)});
    }
  }
  return arcs;
}

/// A small graph of each formula except `tile`, which needs another graph.
inline constexpr const char* kSmallFormulas[] = {
    "grid:rows=30,columns=40,keep=0.9",
    "random:n=500,m=2000",
    "kronecker:scale=10,edge-factor=4",
    "road:n=900",
    "road-main:n=900",
    "long:scale=9",
    "square:scale=9",
    "random4:scale=9",
    "hyperbolic:n=1500,degree=9,exponent=2.7",
    "geometric:n=1500,degree=7.5",
    "delaunay:n=1000",
    "nearest:n=1000,k=5",
    "rmat:scale=10,edge-factor=4,a=0.5,b=0.2,c=0.1",
    "mesh:x=9,y=10,z=11",
    "chain:n=700",
    "star:n=700",
};

/// `bytes` as one gzip member.
inline std::string gzip(std::string_view bytes) {
  z_stream stream{};
  constexpr int kGzipWindow = 15 + 16;
  if (deflateInit2(&stream, 6, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("deflateInit2 failed");
  }
  std::string input(bytes);
  std::string output(deflateBound(&stream, input.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(output.data());
  stream.avail_out = static_cast<uInt>(output.size());
  const int status = deflate(&stream, Z_FINISH);
  output.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::runtime_error("deflate failed");
  return output;
}

/// The message of the Error that `action` throws, "(no error)" when it throws none.
template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

template <class Action>
ExitCode code_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  return ExitCode::ok;
}

}  // namespace bellmark
