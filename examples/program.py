#!/usr/bin/env python3
"""A program that Bellmark measures, in Python's standard library alone: Dijkstra's algorithm.

It speaks the wire of docs/reference/program-wire.md: a JSON object a line, requests on standard input, answers on
standard output. Standard error is its log. examples/program.cpp is the same in C++.
"""
import heapq
import json
import os
import sys
from array import array

WIRE_VERSION = 1
UNREACHED = 2**63 - 1
NONE = -1


class Dijkstra:
    """Reads a graph once, answers many queries. Vertices count from 0 in here."""

    def hello(self, body):
        if body["version"] != WIRE_VERSION:
            raise ValueError(f"it speaks no version of the wire but {WIRE_VERSION}")
        if body["problem"] != "sssp":
            raise ValueError(f"it does not answer the problem {body['problem']!r}")
        return {"hello": {"version": WIRE_VERSION, "name": "python-dijkstra", "program_version": "1.0",
                          "forms": ["text", "binary"]}}

    def prepare(self, body):
        """Not timed: the graph. body["settings"] has what the user swept."""
        if body["format"] != "gr":
            raise ValueError("it reads DIMACS text (gr) alone")
        self.first = body["first_vertex"]
        self.arcs = []
        with open(body["graph"], encoding="ascii") as file:
            for line in file:
                words = line.split()
                if words[:1] == ["p"]:
                    self.arcs = [[] for _ in range(int(words[2]))]
                elif words[:1] == ["a"]:
                    tail, head, length = map(int, words[1:])
                    self.arcs[tail - self.first].append((head - self.first, length))
        return {"prepared": {}}

    def query(self, body):
        """Timed: the whole answer. Without "time_ns" in the reply Bellmark's clock counts."""
        source = body["source"] - self.first
        self.distances = [UNREACHED] * len(self.arcs)
        self.predecessors = [NONE] * len(self.arcs)
        self.distances[source] = 0
        queue = [(0, source)]
        while queue:
            distance, u = heapq.heappop(queue)
            if distance > self.distances[u]:
                continue
            for v, length in self.arcs[u]:
                through = distance + length
                if through < self.distances[v]:
                    self.distances[v] = through
                    self.predecessors[v] = u
                    heapq.heappush(queue, (through, v))
        return {"answered": {}}

    def extract(self, body):
        """Not timed: the answer to the last query, in the file's vertices."""
        predecessors = [NONE if v == NONE else v + self.first for v in self.predecessors]
        if body["form"] == "binary":
            with open(body["file"], "wb") as file:
                array("q", self.distances).tofile(file)
                array("q", predecessors).tofile(file)
        else:
            with open(body["file"], "w", encoding="ascii") as file:
                for distance, vertex in zip(self.distances, predecessors):
                    file.write(f"{'inf' if distance == UNREACHED else distance} {'-' if vertex == NONE else vertex}\n")
        return {"extracted": {}}


def serve(program):
    """Answers until standard input is closed. Gives the exit code."""
    # What the program prints goes to its log: standard output is the wire.
    wire = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    handlers = {name: getattr(program, name) for name in ("hello", "prepare", "query", "extract")}
    code = 0
    try:
        for line in sys.stdin:
            ((name, body),) = json.loads(line).items()
            print(json.dumps(handlers[name](body), separators=(",", ":")), file=wire, flush=True)
    except Exception as error:  # whatever it was, Bellmark shows it
        message = f"{type(error).__name__}: {error}"
        print(json.dumps({"error": {"message": message}}), file=wire, flush=True)
        code = 1
    return code


if __name__ == "__main__":
    sys.exit(serve(Dijkstra()))
