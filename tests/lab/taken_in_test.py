"""A lab whose project includes Bellmark's tree, and one that has Bellmark's own variants too."""

from support import SOURCE, build_lab, run

LAB = """#include <bellmark/lab.hpp>
struct Sum : bellmark::KernelProblem<Sum, int, int> {
  static constexpr const char* kName = "sum";
  static std::vector<bellmark::Key> keys() { return {}; }
  static int make(const bellmark::Settings&) { return 1; }
  static int expected(const int& input) { return input + 1; }
};
struct One {
  using Problem = Sum;
  static bellmark::Description describe() {
    bellmark::Description description;
    description.name = "sum/one";
    return description;
  }
  explicit One(const bellmark::Settings&) {}
  void prepare(const int& input, bellmark::RunContext&) { input_ = input; }
  void run(std::span<const Sum::Query>, bellmark::RunContext&) { answer_ = input_ + 1; }
  void extract(int& answer) const { answer = answer_; }
  int input_ = 0;
  int answer_ = 0;
};
BELLMARK_REGISTER(One);
"""

# The folder in which FetchContent builds.
TAKEN_IN = "_deps/bellmark-build"
# Nothing is fetched: FETCHCONTENT_SOURCE_DIR_BELLMARK names the tree.
FETCHED = """include(FetchContent)
FetchContent_Declare(bellmark GIT_REPOSITORY https://bellmark.invalid/bellmark.git GIT_TAG main)
FetchContent_MakeAvailable(bellmark)
"""
ADDED = f"add_subdirectory({SOURCE} {TAKEN_IN})\n"


def project(folder, way, lab="bellmark_add_lab(one SOURCES one.cpp)"):
    (folder / "one.cpp").write_text(LAB)
    (folder / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.22)\nproject(one LANGUAGES CXX)\n{way}{lab}\n")
    return folder


def test_the_tree_is_taken_in(tmp_path):
    """By FetchContent, and then by add_subdirectory() in the same place. The second finds the files that the
    first has compiled, which takes three minutes of a core."""
    build = tmp_path / "build"
    for way, options in ((FETCHED, [f"-DFETCHCONTENT_SOURCE_DIR_BELLMARK={SOURCE}"]), (ADDED, [])):
        (build / "one").unlink(missing_ok=True)
        build_lab(project(tmp_path, way), build, "/nowhere", *options)
        said = run(build / "one", "run", "-v", "sum/one", "--smoke", cwd=tmp_path)
        assert "certified" in said
        assert "sssp" not in run(build / "one", "list")
        # Only the parts that the lab links were built: no variant, no test, no `bellmark`.
        assert {path.name for path in (build / TAKEN_IN).glob("*.a")} == {
            "libbellmark_core.a", "libbellmark_no_gpu.a", "libbellmark_revision.a"}
        assert not (build / TAKEN_IN / "bellmark").is_file()


def test_with_the_variants_of_bellmark(prefix, tmp_path):
    folder = project(tmp_path, "find_package(Bellmark REQUIRED)\n",
                     "bellmark_add_lab(one SOURCES one.cpp WITH_BELLMARK)")
    build_lab(folder, tmp_path / "build", prefix)
    listed = run(tmp_path / "build/one", "list", "-v", "*/*")
    assert "sum/one" in listed and "sssp/dijkstra" in listed and "read-bandwidth/sum" in listed
    run(tmp_path / "build/one", "compare", "-v", "sssp/dijkstra", "-v", "sssp/auto", "-g", "grid:rows=9,columns=9",
        "--smoke", cwd=tmp_path)
    assert "certified" in run(tmp_path / "build/one", "run", "-v", "sum/one", "--smoke", cwd=tmp_path)
