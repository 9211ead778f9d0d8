"""The rules of `compare`: the texts that count as equal, and that all else is a difference."""

import pytest

from words import (BadInput, Expectations, differences, kernels_of, names_in, read_expectations,
                   same_kernels)

MODULE = """
.version 9.0
.target sm_90
.address_size 64

.global .align 1 .b8 $str$1[3] = {97, 59, 0};
.global .align 8 .u64 table$FILE[1] = {$str$1};
.shared .align 4 .b8 _ZZN4room6kernelIjEEvT_E4sums[16];

.visible .entry _ZN4room6kernelIjEEvT_(
.param .u32 _ZN4room6kernelIjEEvT__param_0
)
.maxntid 256, 1, 1
{
.local .align 8 .b8 __local_depot$AT[8];
ld.param.u32 %r1, [_ZN4room6kernelIjEEvT__param_0];
mov.u32 %r2, _ZZN4room6kernelIjEEvT_E4sums;
mov.u64 %rd1, table$FILE;
@%p1 bra $L__BB$AT_1;
$L__BB$AT_1:
ret;
}

.entry _ZN4room33_GLOBAL__N__$HASH_4_a_cu_0000000f5otherEv(
)
{
ret;
}
"""
NAMES = {
    "_ZN4room6kernelIjEEvT_": "void room::kernel<unsigned int>(unsigned int)",
    "_ZZN4room6kernelIjEEvT_E4sums": "room::kernel<unsigned int>(unsigned int)::sums",
}


def module(at="0", file="A", hash_="ebb57f91", code=MODULE):
    return code.replace("$AT", at).replace("$FILE", file).replace("$HASH", hash_)


def kernels(text):
    names = {name: NAMES.get(name, "room::(anonymous namespace)::other()")
             for name in names_in(text)}
    return dict(kernels_of(text, names))


def test_names_are_found_whole():
    assert names_in(module()) == {*NAMES, "_ZN4room33_GLOBAL__N__ebb57f91_4_a_cu_0000000f5otherEv"}


def test_a_kernel_is_the_same_in_another_file():
    found = kernels(module())
    assert set(found) == {NAMES["_ZN4room6kernelIjEEvT_"], "room::(anonymous namespace)::other()"}
    moved = module(at="7", hash_="01234567").replace("$str$1", "$str")
    assert kernels(moved) == found
    unseen = module().replace(".visible .entry", ".weak .entry")
    assert kernels(unseen) == found


@pytest.mark.parametrize("old, new", [
    ("mov.u32 %r2", "mov.u32 %r3"),  # code
    (".maxntid 256", ".maxntid 128"),  # how it is launched
    ("E4sums[16]", "E4sums[32]"),  # its variables
    ("{97, 59, 0}", "{98, 59, 0}"),  # what its variables name
    ("sm_90", "sm_100"),
    ("bra $L__BB$AT_1", "bra $L__BB$AT_2"),
])
def test_a_kernel_that_changed_is_seen(old, new):
    assert old in MODULE
    name = NAMES["_ZN4room6kernelIjEEvT_"]
    assert kernels(module(code=MODULE.replace(old, new)))[name] != kernels(module())[name]


def test_copies_of_a_kernel_count_once_and_are_told():
    before = {"kernel a": ["text", "text"], "kernel b": ["text", "text"], "list": ["a", "a"]}
    after = {"kernel a": ["text"], "kernel b": ["other"], "list": ["a"]}
    notes = same_kernels(before, after)
    assert notes == ["kernel a: equal copies: 2 before, 1 after"]
    assert dict(differences(before, after)) == {"kernel b": ["-text", "+other"], "list": ["-a"]}


def test_differences():
    before = {"same": ["a"], "gone": ["a"], "line": ["a", "-- ", "c"]}
    after = {"same": ["a"], "new": ["a"], "line": ["a", "d", "c"]}
    assert list(differences(before, after)) == [
        ("gone", ["-all of it"]), ("line", ["--- ", "+d"]), ("new", ["+all of it"])]


def rules(tmp_path, *lines):
    path = tmp_path / "expected"
    path.write_text("\n".join(lines))
    return read_expectations(str(path))


def test_expected_differences(tmp_path):
    found = rules(tmp_path, "# a comment", "", r"rename old::(\w+) => new::\1 ## moved",
                  "allow ^figure .*: .legend: ## the legend names the GPU", "allow never ## no")
    assert found.rename({"kernel old::a": ["call old::b"]}) == {"kernel new::a": ["call new::b"]}
    assert found.allows("figure x: -legend: 'EPYC'")
    assert not found.allows("figure x: -line 0 points: []")
    assert found.unused() == ["allow never ## no"]


def test_two_names_that_become_one_are_kept_both(tmp_path):
    found = rules(tmp_path, "rename [ab]$ => c ## joined")
    assert found.rename({"kernel a": ["x"], "kernel b": ["y"]}) == {"kernel c": ["x", "y"]}


@pytest.mark.parametrize("line", ["allow x", "allow x ##", "allow ( ## open", "rename x ## y", "x"])
def test_an_expectation_without_a_reason_is_refused(tmp_path, line):
    with pytest.raises(BadInput, match=":1: "):
        rules(tmp_path, line)


def test_nothing_is_expected_unless_it_is_said():
    assert not Expectations().allows("list: -a")
