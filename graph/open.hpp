// From a reference on the command line or in an experiment to a graph in memory.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "graph/graph.hpp"

namespace bellmark {

struct GraphReference;

/// Opens a graph by reference:
///   `dimacs:USA-road-d.NY`            a catalogued graph under a data folder
///   `osm:monaco-d`                    the same of OpenStreetMap's roads, `-t` by travel time
///   `topology:USA-road.NW`            the same of a graph without lengths
///   `FILE.gr`, `FILE.gr.gz`           DIMACS text; a `.co[.gz]` beside it gives coordinates
///   `FILE.pace.gr`, `FILE.pace.gr.gz` PACE text, undirected and without lengths
///   `FILE.mtx`, `FILE.mtx.gz`         Matrix Market text, a sparse matrix (matrix_market.hpp)
///   `FILE.el`, `FILE.wel`, also `.gz` a plain list of arcs, `.wel` with lengths (edge_list.hpp)
///   `FILE.bmg`                        the binary form, memory-mapped
///   `grid:rows=64,columns=64,keep=0.85,lengths=uniform:1..1000,seed=1`   made on the spot
///   `random:n=1000,m=4000,lengths=uniform:1..1000,seed=1`
///   `kronecker:scale=20,edge-factor=16,lengths=uniform:1..255,seed=1`
///   `road:n=1427876,lengths=kanto,seed=1`, `road-main:n=...`
///   `long:scale=20,lengths=uniform:0..4^10,seed=1`, `square:scale=...`, `random4:scale=...`
///   `hyperbolic:n=65536,degree=10,exponent=3`, `geometric:n=...,degree=...`, `delaunay:n=...`
///   `nearest:n=...,k=8`, `rmat:scale=20`, `mesh:x=64,y=64,z=64`, `chain:n=...`, `star:n=...`
///                                     the formulas are in generate.hpp
/// A graph that is read can get other lengths by a scheme (lengths.hpp). They replace its own
/// lengths. `,lengths=SCHEME`, and optionally `,seed=N` (1), follow its name:
///   `topology:USA-road.NW,lengths=hash:1..10000,seed=1`
///   `my.gr.gz,lengths=log-spread:10..1000000`
///   `topology:USA-road.NE,lengths=sample:dimacs:USA-road-d.NY`
///   `dimacs:USA-road-d.NY,lengths=scale:2^-3`
///   `my.mtx,lengths=scaled:1000`      fractions of the file, times 1000 and rounded
/// Any of them gets the arcs that it lacks to be symmetric (order.hpp) by `,arcs=both`:
///   `my.el,arcs=both`
/// then its vertices in another order by `,order=WORD`:
///   `dimacs:USA-road-d.NY,order=breadth-first`
/// and then its rows sorted, the shortest arcs first, by `,row-order=by-length`:
///   `dimacs:USA-road-d.NY,row-order=by-length`
/// reference.hpp splits a reference into its parts. Throws InputError (an unknown reference gets
/// the nearest known one as a suggestion) or MachineError.
Graph open_graph(const std::string& reference);
Graph open_graph(const GraphReference& reference);

/// True if it opens in a moment: a file that is mapped or small, a small formula. Opens no graph.
/// Throws InputError for a graph that can't be opened: no such file or id, or an unknown key or
/// word.
bool opens_at_once(const std::string& reference);

/// Ids of catalogued graphs that are present on this machine, e.g. `dimacs:USA-road-d.NY`.
std::vector<std::string> catalogued_graphs();

/// True if it begins like a catalogued id: a catalogue's name, a colon and a name.
bool is_catalogue_id(const std::string& text);

/// The file of a catalogued id with the given suffix (".gr", for a topology ".pace.gr", ".co",
/// ".ss"), plain or `.gz`; empty when there is none.
std::filesystem::path catalogued_file(const std::string& id, const std::string& suffix);

/// Folders searched for catalogued graphs: download_folder(), `data/` beside the executable or one
/// level up (a bundle), then the source tree's `data/`.
std::vector<std::filesystem::path> data_folders();

/// The folder for fetched graphs: $BELLMARK_DATA, else the user's $XDG_DATA_HOME/bellmark or
/// ~/.local/share/bellmark, else the working directory's `data`.
std::filesystem::path download_folder();

}  // namespace bellmark
