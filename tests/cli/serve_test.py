"""`bellmark serve`: the API of its file, exact answers, limits, and hostile clients."""

import gzip
import heapq
import json
import queue
import random
import re
import signal
import socket
import subprocess
import threading
import time
from collections import defaultdict

import jsonschema
import pytest

from routes_server import HELSINKI, error_of, serving
from support import BELLMARK, SOURCE

API = json.loads((SOURCE / "docs/reference/routes-api.json").read_text())
START, GOAL = [24.9395, 60.1712], [24.9516, 60.1771]
ROUTE = {"map": "helsinki", "start": START, "goal": GOAL}
VERTEX_COUNT = 5417


@pytest.fixture(scope="module", name="server")
def server_fixture():
    with serving(*HELSINKI, "--certify-every", "1") as server:
        yield server


def operations():
    return [(path, method) for path, methods in API["paths"].items() for method in methods]


def examples(path, method):
    """The requests of the API's file: their paths and bodies."""
    operation = API["paths"][path][method]
    query = []
    for parameter in operation.get("parameters", []):
        if parameter["in"] == "path":
            path = path.replace("{" + parameter["name"] + "}", str(parameter["example"]))
        else:
            query.append(f"{parameter['name']}={parameter['example']}")
    if query:
        path += "?" + "&".join(query)
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    return [(path, example["value"]) for example in content.get("examples", {}).values()] or [(path, None)]


def check_schema(schema, value):
    resolver = jsonschema.RefResolver.from_schema(API)
    jsonschema.Draft202012Validator(schema, resolver=resolver).validate(value)


@pytest.mark.parametrize("path, method", operations())
def test_examples_are_answered_as_described(server, path, method):
    operation = API["paths"][path][method]
    for asked, body in examples(path, method):
        if body is not None:
            check_schema(operation["requestBody"]["content"]["application/json"]["schema"], body)
        status, headers, answer = server.ask(method.upper(), asked, body)
        assert status == 200, (asked, body, answer)
        described = operation["responses"]["200"]["content"]
        kind = headers["Content-Type"]
        assert kind in described, (asked, body)
        if "json" in kind:
            check_schema(described[kind]["schema"], answer)
        assert "Access-Control-Allow-Origin" not in headers


def test_every_path_is_described(server):
    _, _, answer = server.get("/api/nothing-like-it-at-all-zzzzzzzzzzzzzzzzzz")
    known = answer["error"]["remedy"].removeprefix("known: ").split(", ")
    assert sorted(known[1:]) == sorted(API["paths"])
    check_schema(API["components"]["schemas"]["Error"], answer)


def roads(metric):
    letter = metric[0]
    arcs = defaultdict(list)
    with gzip.open(SOURCE / f"data/osm/helsinki-{letter}.gr.gz", "rt", encoding="ascii") as lines:
        for line in lines:
            if line.startswith("a"):
                tail, head, length = map(int, line.split()[1:])
                arcs[tail].append((head, length))
    return arcs


def shortest(arcs, source, closed=frozenset()):
    distances = {}
    queue = [(0, source)]
    while queue:
        distance, vertex = heapq.heappop(queue)
        if vertex in distances:
            continue
        distances[vertex] = distance
        for head, length in arcs[vertex]:
            if head not in distances and frozenset((vertex, head)) not in closed:
                heapq.heappush(queue, (distance + length, head))
    return distances


@pytest.mark.parametrize("metric", ["distance", "time"])
def test_routes_and_matrices_are_the_shortest(server, metric):
    arcs = roads(metric)
    draw = random.Random(5)
    sources = [draw.randint(1, VERTEX_COUNT) for _ in range(4)]
    targets = [draw.randint(1, VERTEX_COUNT) for _ in range(6)]
    first = [(source, arcs[source][0][0]) for source in sources]
    for closed in ([], first):
        pairs = frozenset(map(frozenset, closed))
        avoid = {"roads": [list(road) for road in closed]}
        known = [shortest(arcs, source, pairs) for source in sources]
        expected = [[distances.get(target) for target in targets] for distances in known]
        status, _, matrix = server.post("/api/matrix", {"sources": sources, "targets": targets, "metric": metric,
                                                        "avoid": avoid})
        assert status == 200 and matrix["lengths"] == expected
        for row, source in zip(expected, sources):
            for length, target in zip(row, targets):
                status, _, answer = server.post("/api/route", {"start": source, "goal": target, "metric": metric,
                                                               "avoid": avoid})
                if length is None:
                    assert status == 422 and error_of((0, 0, answer))[0] == "no-route"
                    continue
                route = answer["routes"][0]
                assert route[metric] == length and route["certified"]
                walked = route["vertices"]
                assert (walked[0], walked[-1]) == (source, target)
                assert not any(frozenset(step) in pairs for step in zip(walked, walked[1:]))
    assert server.counts()["routes"]["wrong"] == 0


def test_both_metrics_and_via_points(server):
    status, _, answer = server.post("/api/route", {**ROUTE, "metric": "both", "via": [1, [24.9452, 60.1688]]})
    assert status == 200
    by_distance, by_time = answer["routes"]
    assert by_distance["distance"] <= by_time["distance"] and by_time["time"] <= by_distance["time"]
    for route in answer["routes"]:
        assert len(route["legs"]) == 3
        assert sum(leg["distance"] for leg in route["legs"]) == route["distance"]
        places = iter(route["vertices"])
        assert all(point["vertex"] in places for point in answer["points"]), "in this order"


def test_a_closed_area_moves_the_route(server):
    free = server.post("/api/route", ROUTE)[2]["routes"][0]
    longitude, latitude = free["coordinates"][len(free["coordinates"]) // 2]
    step = 0.0003
    area = [[longitude - step, latitude - step], [longitude + step, latitude - step],
            [longitude + step, latitude + step], [longitude - step, latitude + step]]
    answer = server.post("/api/route", {**ROUTE, "avoid": {"polygons": [area]}})[2]
    moved = answer["routes"][0]
    assert answer["closed_arc_count"] > 0 and moved["distance"] > free["distance"] and moved["certified"]
    assert not any(abs(x - longitude) < step and abs(y - latitude) < step for x, y in moved["coordinates"])
    again = server.post("/api/route", ROUTE)[2]["routes"][0]
    assert again["vertices"] == free["vertices"], "nothing stays closed"


def test_reach_holds_the_places_that_are_near(server):
    distances = shortest(roads("distance"), 1)
    limits = [1000, 4000]
    answer = server.post("/api/reach", {"start": 1, "limits": limits})[2]
    for feature, limit in zip(answer["features"], reversed(limits)):
        within = sum(distance <= limit for distance in distances.values())
        assert feature["properties"] == {"limit": limit, "vertex_count": within}
        for polygon in feature["geometry"]["coordinates"]:
            assert all(ring[0] == ring[-1] and len(ring) >= 4 for ring in polygon)


def check_tree(answer, lengths):
    """Every label is its predecessor's plus an arc; without `lengths`, only a longer one."""
    known = ({}, {})
    ends = (answer["start"]["vertex"], answer["goal"]["vertex"])
    sides = answer["sides"] or [0] * len(answer["vertices"])
    for vertex, before, label, side in zip(answer["vertices"], answer["predecessors"], answer["labels"], sides,
                                           strict=True):
        known[side][vertex] = label
        if before is None:
            assert (vertex, label) == (ends[side], 0)
        elif lengths is None:
            assert label >= known[side][before]
        else:
            assert label == known[side][before] + lengths[(before, vertex) if side == 0 else (vertex, before)]


def test_a_search_is_shown_as_the_variants_count(server):
    arcs = [(tail, *arc) for tail, row in roads("distance").items() for arc in row]
    lengths = {(tail, head): length for tail, head, length in sorted(arcs, key=lambda arc: -arc[2])}
    variants = server.get("/api/maps")[2]["variants"]
    for variant in variants:
        status, _, answer = server.post("/api/search", {"variant": variant, "start": 1, "goal": 3000})
        assert status == 200, (variant, answer)
        assert len(answer["vertices"]) == len(answer["labels"]) == answer["settled_count"]
        assert answer["path"][0] == 1 and answer["path"][-1] == 3000 and not answer["is_cut"]
        check_tree(answer, None if "hierarchy" in variant else lengths)
    assert error_of(server.post("/api/search", {"variant": "p2p/dijkstr", "start": 1, "goal": 2})) == (
        "unknown-variant", "variant")


REFUSED = [
    ("POST", "/api/route", "{", 400, "bad-request"),
    ("POST", "/api/route", '{"start": NaN, "goal": 1}', 400, "bad-request"),
    ("POST", "/api/route", "[" * 100_000, 400, "bad-request"),
    ("POST", "/api/route", {"start": 1, "goal": 2, "via": [3] * 26}, 400, "bad-request"),
    ("POST", "/api/route", {"start": 1, "goal": 2, "avoid": {"polygons": [[[24.9, 60.1]] * 1001]}}, 400, "bad-request"),
    ("POST", "/api/route", {"start": 1, "goal": 2, "avoid": {"polygons": [[[24.9, 60.1]] * 3] * 101}}, 400, "bad-request"),
    ("POST", "/api/route", {"start": 1, "goal": 2, "avoid": {"roads": [[1, 2]] * 1001}}, 400, "bad-request"),
    ("POST", "/api/route", {"start": [0, 0], "goal": 2}, 422, "off-map"),
    ("POST", "/api/route", {"map": "../../etc/passwd", "start": 1, "goal": 2}, 404, "unknown-map"),
    ("POST", "/api/matrix", {"sources": [1] * 101, "targets": [2]}, 400, "bad-request"),
    ("POST", "/api/reach", {"start": 1, "limits": [5, 4]}, 400, "bad-request"),
    ("POST", "/api/reach", {"start": 1, "limits": [-1]}, 400, "bad-request"),
    ("POST", "/api/reach", {"start": 1, "limits": list(range(11))}, 400, "bad-request"),
    ("POST", "/api/search", {"variant": "p2p/alt", "start": 1, "goal": 2, "events": 200_001}, 400, "bad-request"),
    ("GET", "/api/route", None, 405, "wrong-method"),
    ("DELETE", "/api/maps", None, 405, "wrong-method"),
    ("GET", "/../../etc/passwd", None, 404, "unknown-path"),
    ("GET", "/%2e%2e/%2e%2e/etc/passwd", None, 404, "unknown-path"),
    ("GET", "/api/maps/helsinki/tiles/15/0/0", None, 400, "bad-request"),
    ("GET", "/api/maps/helsinki/tiles/3/8/0", None, 400, "bad-request"),
    ("GET", "/api/maps/..%2f/tiles/3/1/1", None, 404, "unknown-map"),
    ("GET", "/api/nearest?longitude=nan&latitude=1", None, 400, "bad-request"),
    ("GET", "/api/nearest?longitude=1", None, 400, "bad-request"),
    ("GET", "/api/nearest?longitude=1&latitude=1&x=1", None, 400, "bad-request"),
]


@pytest.mark.parametrize("method, path, body, status, code", REFUSED)
def test_what_is_wrong_is_refused_by_name(server, method, path, body, status, code):
    answer = server.ask(method, path, body)
    assert answer[0] == status and error_of(answer)[0] == code
    assert code in API["components"]["schemas"]["Error"]["properties"]["error"]["properties"]["code"]["enum"]


def test_points_off_the_map_say_how_far(server):
    answer = server.post("/api/route", {"start": [24.9, 60.1712], "goal": 2})
    assert error_of(answer) == ("off-map", "start") and re.search(r"is \d+ m from", answer[2]["error"]["what"])


@pytest.mark.parametrize("headers, status, code", [
    ({"Host": "evil.example"}, 421, "wrong-host"),
    ({"Origin": "http://evil.example"}, 403, "wrong-origin"),
    ({"Content-Type": "text/plain"}, 415, "wrong-type"),
    ({"X-Long": "x" * 1_000_000}, 431, "headers-too-large"),
])
def test_headers_that_are_refused(server, headers, status, code):
    answer = server.post("/api/route", ROUTE, headers=headers)
    assert (answer[0], error_of(answer)[0]) == (status, code)


def raw(server, data, seconds=30.0):
    """The answer to these bytes."""
    with socket.create_connection((server.host, server.port), timeout=seconds) as connection:
        try:
            for part in data:
                connection.sendall(part)
        except (BrokenPipeError, ConnectionResetError):
            pass
        answer = b""
        while block := connection.recv(65536):
            answer += block
        return answer


def test_a_body_of_100_megabytes_is_refused(server):
    head = (b"POST /api/route HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n")
    block = b"x" * 1_000_000
    assert raw(server, [head + b"Content-Length: 100000000\r\n\r\n", *[block] * 100]).startswith(b"HTTP/1.1 413 ")
    chunk = b"f4240\r\n" + block + b"\r\n"
    assert raw(server, [head + b"Transfer-Encoding: chunked\r\n\r\n", *[chunk] * 5]).startswith(b"HTTP/1.1 413 ")
    assert server.post("/api/route", ROUTE)[0] == 200


@pytest.mark.parametrize("data", [b"\0\1\2\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"x" * 20_000, b"GET /\r\n\r\n",
                                  b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost localhost\r\n\r\n",
                                  b"POST /api/route HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n"])
def test_what_is_no_request_is_refused(server, data):
    assert re.match(rb"HTTP/1.1 4(00|31|21) ", raw(server, [data])), data
    assert server.get("/api/health")[0] == 200


def test_requests_of_one_connection_are_answered_in_order(server):
    asked = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    last = b"GET /api/nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    statuses = re.findall(rb"HTTP/1.1 (\d+)", raw(server, [asked * 3 + last]))
    assert statuses == [b"200", b"200", b"200", b"404"]


def test_a_thousand_connections_and_one_too_many():
    with serving(*HELSINKI) as server:
        held = [socket.create_connection((server.host, server.port)) for _ in range(1000)]
        assert server.post("/api/route", ROUTE)[0] == 200
        held += [socket.create_connection((server.host, server.port)) for _ in range(24)]
        deadline = time.monotonic() + 20
        while (answer := server.get("/api/health"))[0] != 503 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert answer[0] == 503 and error_of(answer)[0] == "busy" and answer[1]["Retry-After"] == "1"
        for connection in held:
            connection.close()
        while server.get("/api/health")[0] != 200 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert server.counts()["connections"]["refused"] > 0


def at_once(count, ask):
    """The answers to this number of requests at the same time."""
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(ask())) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == count
    return answers


def test_a_full_queue_says_so_at_once():
    body = {"sources": list(range(1, 101)), "targets": list(range(5000, 5100))}
    with serving(*HELSINKI, "--workers", "1", "--queue", "1", "--deadline", "3600") as server:
        answers = at_once(40, lambda: server.post("/api/matrix", body))
        statuses = {answer[0] for answer in answers}
        assert statuses == {200, 503}
        refused = next(answer for answer in answers if answer[0] == 503)
        assert error_of(refused)[0] == "busy" and refused[1]["Retry-After"] == "1"


def test_a_deadline_ends_a_search():
    body = {"sources": list(range(1, 101)), "targets": list(range(5000, 5100))}
    with serving(*HELSINKI, "--deadline", "0.001") as server:
        answer = server.post("/api/matrix", body)
        assert answer[0] == 503 and error_of(answer)[0] == "deadline"


def star_of_roads(folder, count):
    """A star's files. `queue=scan` looks at all waiting leaves for each that it settles."""
    roads = folder / "star.gr"
    arcs = [f"a 1 {leaf} {leaf}\na {leaf} 1 {leaf}\n" for leaf in range(2, count + 1)]
    roads.write_text(f"p sp {count} {2 * len(arcs)}\n" + "".join(arcs))
    places = [f"v {vertex} {vertex} {vertex}\n" for vertex in range(1, count + 1)]
    roads.with_suffix(".co").write_text(f"p aux sp co {count}\n" + "".join(places))
    return roads


def test_searches_are_shown_one_at_a_time(tmp_path):
    count = 200_000  # about 20 seconds: the first search ends with the server
    body = {"variant": "p2p/dijkstra:queue=scan,distance=64", "start": 1, "goal": count}
    answers = queue.Queue()
    with serving("--roads", str(star_of_roads(tmp_path, count))) as server:
        threads = [threading.Thread(target=lambda: answers.put(server.post("/api/search", body))) for _ in range(2)]
        for thread in threads:
            thread.start()
        refused = answers.get(timeout=60)
        assert refused[0] == 429 and error_of(refused)[0] == "search-running"
        assert refused[1]["Retry-After"] == "1"
        server.process.terminate()
        assert answers.get(timeout=60)[0] == 503
        for thread in threads:
            thread.join()
        assert server.process.wait(60) == 0  # a second signal would not wait for it


@pytest.mark.parametrize("words, said", [
    (["--roads", "random:n=10,m=20,seed=1"], "no coordinates"),
    (["--roads", "osm:helsinki-d", "--time", "osm:monaco-t"], "has other arcs than the roads"),
    (["--roads", "osm:helsinki", "--listen", "0.0.0.0"], "--insecure"),
    (["--roads", "osm:helsinki", "--listen", "elsewhere", "--insecure"], "no address"),
    (["--roads", "osm:helsinki", "-c", "each:core"], "placement"),
    (["--roads", "osm:hellsinki"], "did you mean"),
    ([], "--roads"),
])
def test_words_that_are_refused(words, said):
    done = subprocess.run([BELLMARK, "serve", "--port", "0", *words], capture_output=True, text=True, timeout=60,
                          check=False)
    assert (done.returncode, done.stdout) == (2, "") and said in done.stderr


def test_a_port_that_is_taken_is_said(server):
    done = subprocess.run([BELLMARK, "serve", "--port", str(server.port), *HELSINKI], capture_output=True, text=True,
                          timeout=60, check=False)
    assert done.returncode == 7 and "--port" in done.stderr


@pytest.mark.parametrize("signals", [[signal.SIGTERM], [signal.SIGINT], [signal.SIGTERM, signal.SIGTERM]])
def test_it_ends_when_told(signals):
    with serving(*HELSINKI, "-c", "core:0") as server:
        with socket.create_connection((server.host, server.port)), socket.create_connection(
                (server.host, server.port)) as half:
            half.sendall(b"GET /api")
            assert server.counts()["workers"][0]["place"].startswith("pu P#")
            for number in signals:
                server.process.send_signal(number)
            assert server.process.wait(20) == 0


def test_names_behind_a_proxy_are_taken():
    with serving(*HELSINKI, "--host", "routes.example") as server:
        assert server.get("/api/health", headers={"Host": "routes.example"})[0] == 200
        assert server.get("/api/health", headers={"Host": "other.example"})[0] == 421
