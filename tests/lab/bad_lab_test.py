"""A fault of a lab is reported in a sentence."""

import re
import shutil

import pytest

from support import build_lab, run

HEADER = """#include <bellmark/lab.hpp>
using namespace bellmark;
struct Sum : KernelProblem<Sum, int, int> {
  static constexpr const char* kName = "sum";
  static std::vector<Key> keys() { return {}; }
  static int make(const Settings&) { return 1; }
  static std::optional<std::string> check(const int&, const int& answer) {
    %(check)s
    return answer == 2 ? std::nullopt : std::optional<std::string>("it is not 2");
  }
};
struct %(type)s {
  using Problem = Sum;
  static Description describe() {
    Description description;
    description.name = "sum/one";
    %(describe)s
    return description;
  }
  explicit %(type)s(const Settings&) {}
  void prepare(const int&, RunContext&) {}
  void run(std::span<const Sum::Query>, RunContext&) { answer_ = %(answer)s; }
  void extract(int& answer) const { %(extract)s }
  int answer_ = 0;
};
%(register)s
BELLMARK_REGISTER(%(type)s);
"""

WITHOUT_FACTS = """#include <bellmark/lab.hpp>
struct Sum {
  static constexpr const char* kName = "sum";
  struct Input {};
  struct Query {};
  using Answer = int;
  struct Certificate { explicit Certificate(const Input&) {} };
};
struct One { using Problem = Sum; };
BELLMARK_REGISTER(One);
"""


def lab_file(**parts):
    usual = {"check": "", "type": "One", "describe": "", "answer": "2", "extract": "answer = answer_;",
             "register": ""}
    return HEADER % {**usual, **parts}


LABS = {
    "good": [lab_file()],
    "twice": [lab_file(), lab_file(type="Other")],
    "throwing": [lab_file(check='throw std::runtime_error("there is no list");')],
    "wrong": [lab_file(answer="3")],
    "unwritten": [lab_file(extract="static_cast<void>(answer);")],
    "undeclared": [lab_file(describe='description.needs = {Need("avx9")};')],
    "needy": [lab_file(describe='description.needs = {Need("avx9")};',
                       register='BELLMARK_NEED(Need("avx9"), [] { return std::string("no processor has it"); });')],
    "reserved": [lab_file(describe='description.keys = {at_run_time(word_key("input", "a", {"a"}, "?"))};')],
}


@pytest.fixture(scope="module")
def labs(prefix, tmp_path_factory):
    """One project with a lab for each fault."""
    folder = tmp_path_factory.mktemp("bad")
    lines = ["cmake_minimum_required(VERSION 3.22)", "project(bad LANGUAGES CXX)", "find_package(Bellmark REQUIRED)"]
    for name, texts in LABS.items():
        files = [f"{name}{i}.cpp" for i in range(len(texts))]
        for file, text in zip(files, texts):
            (folder / file).write_text(text)
        lines.append(f"bellmark_add_lab({name} SOURCES {' '.join(files)})")
    (folder / "CMakeLists.txt").write_text("\n".join(lines))
    build_lab(folder, folder / "build", prefix, "-DCMAKE_BUILD_TYPE=Debug")
    return folder / "build"


@pytest.mark.parametrize("lab, code, sentence", [
    ("good", 0, r"certified"),
    ("twice", 1, r"variant 'sum/one': is registered twice with the same keys: ''; give one of the two another name"),
    ("throwing", 4, r"problem 'sum': its certificate threw an exception: there is no list; let check\(\) return"),
    ("wrong", 3, r"query 1: it is not 2"),
    ("unwritten", 3, r"query 1: it is not 2"),
    ("undeclared", 1, r"variant 'sum/one': needs 'avx9', which nothing declares; declare it \(BELLMARK_NEED\)"),
    ("needy", 77, r"needs avx9: no processor has it"),
    ("reserved", 1, r"variant 'sum/one': key 'input' has the name of the axis of inputs"),
])
def test_the_lab_says_what_is_wrong(labs, tmp_path, lab, code, sentence):
    said = run(labs / lab, "run", "-v", "sum/one", "--smoke", cwd=tmp_path, code=code)
    assert re.search(sentence, said), said


def compiled(prefix, tmp_path, text, **extra):
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\nproject(one LANGUAGES CXX)\n"
        "find_package(Bellmark REQUIRED)\nbellmark_add_lab(one SOURCES one.cpp)\n")
    (tmp_path / "one.cpp").write_text(text)
    return build_lab(tmp_path, tmp_path / "build", prefix, "-DCMAKE_BUILD_TYPE=Debug", **extra)


def test_a_problem_without_facts(prefix, tmp_path):
    said = compiled(prefix, tmp_path, WITHOUT_FACTS, code=1)
    assert "a problem has facts(input), which tell its inputs apart by a 'digest'" in said


@pytest.mark.parametrize("where", ["one.cpp", "one.hpp"])
def test_a_header_that_is_not_installed(prefix, tmp_path, where):
    include = "#include <bellmark/harness/plan/plan.hpp>\n"
    (tmp_path / "one.hpp").write_text(include if where == "one.hpp" else "")
    said = compiled(prefix, tmp_path, include if where == "one.cpp" else '#include "one.hpp"\n', code=1)
    said = " ".join(said.split())
    assert f"{where} includes bellmark/harness/plan/plan.hpp, which is not among the headers that Bellmark installs" in said


def test_another_version(prefix, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(prefix, other)
    header = other / "include/bellmark/lab.hpp"
    text = header.read_text()
    header.write_text(re.sub(r"require_headers\(\"[^\"]+\"\)", 'require_headers("0.0.9")', text))
    (tmp_path / "lab").mkdir()
    compiled(other, tmp_path / "lab", lab_file())
    said = run(tmp_path / "lab/build/one", "list", code=2)
    assert re.search(r"this lab was compiled with the headers of Bellmark 0\.0\.9, and is linked with Bellmark "
                     r"\d+\.\d+\.\d+ \(headers \w+\); remove its build folder", said), said


def test_a_version_that_is_not_here(prefix, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.22)\nproject(one LANGUAGES CXX)\n"
                                             "find_package(Bellmark 9.1 REQUIRED)\n")
    said = build_lab(tmp_path, tmp_path / "build", prefix, code=1)
    assert "compatible with requested version \"9.1\"" in " ".join(said.split())
