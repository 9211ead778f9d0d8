"""The map: the roads, spots and chosen spots of its file, and a reason for each refusal."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from matplotlib.collections import LineCollection, PathCollection

import map as spot_map
from load import InputFault, Json

MAP: Json = {
    "reference": "spots:somewhere",
    "credit": "© somebody",
    "roads": [[[0.0, 60.0], [0.1, 60.0]], [[0.1, 60.0], [0.1, 60.1]]],
    "spots": [{"name": f"spot {i}", "longitude_degrees": 0.05 * i, "latitude_degrees": 60.0}
              for i in range(3)],
    "chosen": [2, 0],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "map.json").write_text(json.dumps(MAP), encoding="utf-8")
    return tmp_path


def test_everything_is_drawn_once_and_in_order(folder: Path) -> None:
    [axes] = spot_map.draw(spot_map.load_map(folder / "map.json")).axes
    [roads] = [artist for artist in axes.collections if isinstance(artist, LineCollection)]
    assert len(roads.get_segments()) == 2
    spots, chosen = [artist for artist in axes.collections if isinstance(artist, PathCollection)]
    assert len(spots.get_offsets()) == 3
    assert chosen.get_offsets().tolist() == [[0.1, 60.0], [0.0, 60.0]]
    assert [text.get_text() for text in axes.texts] == ["1", "2", "© somebody"]
    assert axes.get_aspect() == pytest.approx(2)  # a degree of longitude at 60 degrees is half


def test_chosen_spots_of_another_file(folder: Path) -> None:
    (folder / "chosen.json").write_text('{"chosen": [1], "more": true}')
    assert spot_map.load_map(folder / "map.json", folder / "chosen.json")["chosen"] == [1]
    for text, said in (("[1]", "chosen.json: $: "), ('{"chosen": [-1]}', "$.chosen[0]"),
                       ('{"chosen": [3]}', "spot 3 is chosen of 3")):
        (folder / "chosen.json").write_text(text)
        with pytest.raises(InputFault, match=r"chosen\.json") as fault:
            spot_map.load_map(folder / "map.json", folder / "chosen.json")
        assert said in str(fault.value)


@pytest.mark.parametrize("key", ["credit", "roads", "spots", "chosen"])
def test_files_that_are_no_maps(folder: Path, key: str) -> None:
    broken = copy.deepcopy(MAP)
    del broken[key]
    (folder / "map.json").write_text(json.dumps(broken))
    with pytest.raises(InputFault, match="bellmark spots map"):
        spot_map.load_map(folder / "map.json")


def test_command_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = folder / "map.png"
    assert spot_map.main([str(folder / "map.json"), "-o", str(picture)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert spot_map.main([str(folder / "none.json"), "-o", str(picture)]) == 2
    assert spot_map.main([str(folder / "map.json"), "-o", str(folder / "map.zzz")]) == 2
    assert spot_map.main([str(folder / "map.json"), "-o", str(folder / "no/map.png")]) == 7
    assert "map.py: " in capsys.readouterr().err
