"""`bellmark serve` for longer, in ./check --full: under load, for ten minutes, with slow clients, and behind nginx.

BELLMARK_FULL_SECONDS shortens the ten minutes. A test that needs a missing program is skipped.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import pytest

from routes_server import HELSINKI, NEW_YORK, Server, error_of, serving
from support import SOURCE

pytestmark = pytest.mark.skipif(not os.environ.get("BELLMARK_FULL"), reason="in ./check --full")
SECONDS = float(os.environ.get("BELLMARK_FULL_SECONDS", "600"))
WRK = shutil.which("wrk")
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
# Vertices of New York, near enough to each other that a search takes about a millisecond.
PAIRS = """
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
local draw = 1
request = function()
  draw = (draw * 48271) % 2147483647
  local start = 1 + draw % VERTICES
  local goal = 1 + (start + 500 + draw % 1500) % VERTICES
  return wrk.format(nil, "/api/route", nil, string.format('{"start": %d, "goal": %d, "metric": "METRIC"}', start, goal))
end
local bad = 0
response = function(status) if status ~= 200 then bad = bad + 1 end end
done = function(summary, latency)
  io.write(string.format('{"requests": %d, "seconds": %f, "p50_ms": %f, "p99_ms": %f, "errors": %d, "bad": %d}\\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    summary.errors.status))
end
"""


def load(server, tmp_path, seconds, connections, vertices, metric="distance"):
    """The report of wrk on this number of connections that ask for routes all the time."""
    script = tmp_path / "pairs.lua"
    script.write_text(PAIRS.replace("VERTICES", str(vertices)).replace("METRIC", metric))
    done = subprocess.run([WRK, "-t", "1", "-c", str(connections), "-d", f"{seconds:.0f}s", "--timeout", "20s", "-s",
                           str(script), f"http://{server.host}:{server.port}"],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout.strip().splitlines()[-1])


@pytest.mark.skipif(not WRK, reason="not run: no wrk (apt-get install wrk)")
@pytest.mark.parametrize("workers", [1, 2])
def test_load(tmp_path, workers):
    """Prints requests a second, latencies, and the service's share beside the searches' own time."""
    with serving(*NEW_YORK, "--workers", str(workers)) as server:
        load(server, tmp_path, 2, 2 * workers, 264_346)
        before = server.counts()
        found = load(server, tmp_path, 15, 2 * workers, 264_346)
        after = server.counts()
        def taken(*keys):
            """The growth of a count by request."""
            def value(counts):
                for key in keys:
                    counts = counts[key]
                return sum(worker["cpu_ms"] for worker in counts) if keys == ("workers",) else counts
            return (value(after) - value(before)) / (after["routes"]["checked"] - before["routes"]["checked"])

        search, worker, process = taken("routes", "search_cpu_ms"), taken("workers"), taken("cpu_ms")
        print(f"\n{workers} workers: {found['requests'] / found['seconds']:.0f} requests a second, p50 "
              f"{found['p50_ms']:.2f} ms, p99 {found['p99_ms']:.2f} ms; processor time a request: search {search:.3f} ms, "
              f"worker {worker:.3f} ms ({worker / search - 1:+.0%}), process {process:.3f} ms ({process / search - 1:+.0%})")
    assert found["requests"] > 0 and found["errors"] == 0
    assert after["routes"]["wrong"] == 0


@pytest.mark.skipif(not WRK, reason="not run: no wrk (apt-get install wrk)")
def test_memory_does_not_grow(tmp_path):
    with serving(*HELSINKI, "--certify-every", "100") as server:
        load(server, tmp_path, SECONDS / 10, 8, 5417, "both")
        first = server.counts()["memory_bytes"]
        load(server, tmp_path, SECONDS, 8, 5417, "both")
        counts = server.counts()
        print(f"\n{first / 1e6:.1f} MB, and {counts['memory_bytes'] / 1e6:.1f} MB after "
              f"{counts['routes']['checked']} routes")
        assert counts["memory_bytes"] < 1.1 * first + 4e6
        assert counts["routes"]["wrong"] == 0 and counts["routes"]["certified"] > 0


def test_slow_clients_are_told_and_others_are_served():
    with serving(*HELSINKI) as server, ExitStack() as open_ones:
        slow = [open_ones.enter_context(socket.create_connection((server.host, server.port), timeout=60))
                for _ in range(100)]
        for connection in slow:
            connection.sendall(b"POST /api/route HTTP/1.1\r\nHost: localhost\r\n")
        begin = time.monotonic()
        while time.monotonic() < begin + 9:
            for connection in slow:
                connection.sendall(b"X")
            assert server.get("/api/health")[0] == 200
            time.sleep(1)
        for connection in slow:
            answer = b""
            while block := connection.recv(4096):
                answer += block
            assert answer.startswith(b"HTTP/1.1 408 ")
        assert 9 < time.monotonic() - begin < 40


def test_it_ends_while_a_hierarchy_is_prepared():
    with serving(*NEW_YORK) as server, ThreadPoolExecutor() as pool:
        asked = pool.submit(server.post, "/api/search", {"variant": "p2p/contraction-hierarchy", "start": 1, "goal": 2000})
        time.sleep(1)
        server.process.terminate()
        assert server.process.wait(60) == 0
        answer = asked.result()
        # It was ready within the five seconds for answers, or it was stopped.
        assert answer[0] == 200 or error_of(answer)[0] == "deadline"


# The folders and files that nginx needs besides the tested one. Everything is in one folder.
AROUND = """
{user}
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  include {folder}/routes.conf;
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Proxy(Server):
    def __init__(self, port):  # pylint: disable=super-init-not-called
        self.host, self.port = "127.0.0.1", port

    def ask(self, method, path, body=None, headers=None, timeout=60):
        return super().ask(method, path, body, {"Host": "routes.example", **(headers or {})}, timeout)


@contextmanager
def proxied(folder, first, second):
    """nginx with harness/serve/nginx.conf, before both servers."""
    port = free_port()
    text = (SOURCE / "harness/serve/nginx.conf").read_text()
    for old, new in ((8081, first.port), (8082, second.port), (8080, port)):
        text = text.replace(f"127.0.0.1:{old}", f"127.0.0.1:{new}")
    page = folder / "page"
    page.mkdir()
    (page / "index.html").write_text("the page")
    (folder / "routes.conf").write_text(text.replace("/usr/local/share/bellmark/map", str(page)))
    (folder / "nginx.conf").write_text(AROUND.format(
        folder=folder, user="user root;" if os.geteuid() == 0 else ""))
    subprocess.run([NGINX, "-t", "-q", "-p", str(folder), "-c", str(folder / "nginx.conf")], check=True)
    with subprocess.Popen([NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")]) as process:
        proxy = Proxy(port)
        try:
            deadline = time.monotonic() + 10
            while True:
                try:
                    proxy.get("/api/health")
                    break
                except OSError:
                    assert time.monotonic() < deadline
                    time.sleep(0.05)
            yield proxy
        finally:
            process.terminate()
            process.wait(10)


def asked_all_the_time(proxy, seconds, meanwhile):
    """The answers' statuses and times while something happens after a third of the time."""
    answers = []
    end = time.monotonic() + seconds

    def ask():
        while time.monotonic() < end:
            begin = time.monotonic()
            status = proxy.post("/api/route", {"start": 1, "goal": 3000})[0]
            answers.append((status, begin, time.monotonic() - begin))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(seconds / 3)
    happened = time.monotonic()
    meanwhile()
    for thread in threads:
        thread.join()
    return answers, happened


@pytest.mark.skipif(not NGINX, reason="not run: no nginx (apt-get install nginx-light)")
@pytest.mark.parametrize("fate", ["killed", "slow"])
def test_behind_nginx_no_request_fails(tmp_path, fate):
    words = [*HELSINKI, "--host", "routes.example"]
    with ExitStack() as stack:
        first = stack.enter_context(serving(*words))
        second = stack.enter_context(serving(*words)) if fate == "slow" else None
        if second is None:
            # Killed on purpose: it does not end like the others.
            process = subprocess.Popen([first.process.args[0], "serve", "--port", "0", *words],
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            stack.callback(process.wait)
            stack.callback(process.kill)
            second = Server(process)
        proxy = stack.enter_context(proxied(tmp_path, first, second))
        assert proxy.get("/")[2] == b"the page"
        number = signal.SIGSTOP if fate == "slow" else signal.SIGKILL
        try:
            answers, happened = asked_all_the_time(proxy, 12, lambda: second.process.send_signal(number))
        finally:
            second.process.send_signal(signal.SIGCONT)
        assert len(answers) > 100 and {status for status, _, _ in answers} == {200}
        # nginx leaves it out. Only the first requests to it wait, and one that tries it after ten seconds.
        waited = [taken for _, begin, taken in answers if begin > happened and taken > 1]
        assert len(waited) <= 8
        served = first.counts()["requests"]["/api/route"]["count"]
        assert served > len(answers) / 2
        assert not re.search(r"\[(emerg|alert|crit)\]", (tmp_path / "error.log").read_text())
