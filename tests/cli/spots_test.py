"""`bellmark spots`, and runs on spots."""

import json
import re

from support import GRAPH, bellmark, fault


def test_spots_snap(tmp_path):
    lines = bellmark("spots", "snap", "--spots", "helsinki", "--roads", "osm:helsinki-d").stdout.splitlines()
    assert lines[0].split() == ["spot", "vertex", "metres", "name"]
    assert lines[1].split(maxsplit=3) == ["0", "2890", "16.0", "Hilton Helsinki Strand"]
    assert [line.split()[0] for line in lines[-4:]] == ["spots", "least", "median", "largest"]
    assert lines[-4].split()[1] == "185"
    said = fault("spots", "snap", "--spots", "andorra", "--roads", "osm:andorra-t")
    assert "'Punta de Romaset'" in said and "snap=3099" in said
    assert "did you mean 'helsinki'?" in fault("spots", "snap", "--spots", "helsinky", "--roads",
                                               "osm:helsinki-d")
    assert "no coordinates" in fault("spots", "snap", "--spots", "helsinki", "--roads", GRAPH)
    (tmp_path / "bad.csv").write_text("name,lon,lat\na,24.9,x\n")
    assert "bad.csv:2: lat 'x' is no number" in fault("spots", "snap", "--spots", tmp_path / "bad.csv",
                                                      "--roads", "osm:helsinki-d")


def test_spots_distances(tmp_path):
    file = tmp_path / "h.bmd"
    done = bellmark("spots", "distances", "spots:helsinki,roads=osm:helsinki-d", "-o", file)
    assert "185 spots: 0.3 MiB" in done.stderr and f"wrote {file}" in done.stderr
    values = dict(re.split(r"  +", line, maxsplit=1) for line in done.stdout.splitlines())
    assert values["spots"] == "185" and values["symmetric"] == "no"
    assert values["unreachable pairs"] == "0"
    assert re.fullmatch(r"\d+\.\d{3} s", values["time"])
    assert re.match(r"\d+ \(spot \d+ to \d+: \d+, back \d+\)", values["largest asymmetry"])

    # The file opens as its input does.
    copy = tmp_path / "copy.bmd"
    bellmark("spots", "distances", f"matrix:{file}", "-o", copy)
    assert copy.read_bytes() == file.read_bytes()
    file.write_bytes(file.read_bytes()[:-1])
    assert "its header says" in fault("spots", "distances", f"matrix:{file}", "-o", copy)

    (tmp_path / "one_way.gr").write_text("p sp 3 3\na 1 2 5\na 2 1 6\na 2 3 7\n")
    three = f"spots:random,n=3,roads={tmp_path}/one_way.gr"
    assert "2 pairs of spots are not joined" in fault("spots", "distances", three, "-o", copy)
    shown = bellmark("spots", "distances", three + ",unreachable=largest", "-o", copy).stdout
    assert "2 of 3\n" in shown and "unreachable pairs  2, their spots left out" in shown
    assert "end its name in .bmd" in fault("spots", "distances", three, "-o", tmp_path / "x.txt")
    bellmark("spots", "distances", three, "-o", "/proc/no/x.bmd", code=2)


def test_spots_map(tmp_path):
    file = tmp_path / "map.json"
    words = ["spots", "map", "spots:helsinki,roads=osm:helsinki-d", "-o", file]
    bellmark(*words, "--chosen", "17,3")
    drawn = json.loads(file.read_text())
    assert drawn["chosen"] == [17, 3] and drawn["credit"] == "© OpenStreetMap contributors"
    assert len(drawn["spots"]) == 185 and len(drawn["roads"]) > 5000
    assert drawn["spots"][0] == {"name": "Hilton Helsinki Strand", "longitude_degrees": 24.951581,
                                 "latitude_degrees": 60.177157}
    assert "spot 185 of 185" in fault(*words, "--chosen", "185")
    assert "named twice" in fault(*words, "--chosen", "3,3")
    assert "no places on a map" in fault("spots", "map", "points:n=5", "-o", file)
    assert json.loads(file.read_text()) == drawn, "a refusal leaves the file as it was"
    bellmark("spots", "map", "spots:random,n=50,roads=dimacs:USA-road-d.NY", "-o", file)
    thinned = json.loads(file.read_text())
    assert 50_000 < len(thinned["roads"]) <= 200_000 and len(thinned["spots"]) == 50


def test_spot_distances_are_measured_and_certified(tmp_path):
    bellmark("run", "-v", "distance-matrix/sssp-per-spot:threads=2", "-v",
             "distance-matrix/p2p-per-pair:threads=2", "-g",
             "spots:random,n=20,roads=" + GRAPH, "-c", "none", "--smoke", "--export-json", "r.json",
             cwd=tmp_path)
    result = json.loads((tmp_path / "r.json").read_text())
    assert len(result["cells"]) == 2 and not result["not_measured"]
    for cell in result["cells"]:
        assert cell["validation"]["status"] == "certified", cell["validation"]
        assert cell["batch"] is False
