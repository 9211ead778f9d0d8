"""A server of routes for tests, and requests to it."""

import http.client
import json
import subprocess
from contextlib import contextmanager

from support import BELLMARK

HELSINKI = ["--roads", "osm:helsinki"]
NEW_YORK = ["--roads", "dimacs:USA-road-d.NY", "--time", "dimacs:USA-road-t.NY"]


class Server:
    def __init__(self, process):
        self.process = process
        address = process.stdout.readline().strip().rstrip("/")
        assert address.startswith("http://"), "the server did not start"
        self.host, port = address.removeprefix("http://").rsplit(":", 1)
        self.port = int(port)

    def ask(self, method, path, body=None, headers=None, timeout=60):
        """Status, headers and body of the answer; JSON is read."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=timeout)
        try:
            sent = {"Content-Type": "application/json"} if body is not None else {}
            text = json.dumps(body) if isinstance(body, (dict, list)) else body
            connection.request(method, path, text, {**sent, **(headers or {})})
            answer = connection.getresponse()
            data = answer.read()
            is_json = "json" in (answer.getheader("Content-Type") or "")
            return answer.status, dict(answer.getheaders()), json.loads(data) if is_json else data
        finally:
            connection.close()

    def get(self, path, **more):
        return self.ask("GET", path, **more)

    def post(self, path, body, **more):
        return self.ask("POST", path, body, **more)

    def counts(self):
        return self.get("/api/counts")[2]


@contextmanager
def serving(*words, port=0):
    """A server with these words, which ends properly."""
    with subprocess.Popen([BELLMARK, "serve", "--port", str(port), *words], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True) as process:
        try:
            yield Server(process)
        finally:
            if process.poll() is None:
                process.terminate()
            assert process.wait(30) == 0


def error_of(answer):
    """The code and the place of a refusal, which has all of its parts."""
    error = answer[2]["error"]
    assert set(error) == {"code", "what", "where", "remedy"} and error["what"] and error["remedy"]
    return error["code"], error["where"]
