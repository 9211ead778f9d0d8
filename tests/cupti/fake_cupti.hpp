// What a test tells the fake libcupti, which is also the fake CUDA driver. Found by dlsym().
#pragma once

#include <cstddef>

extern "C" {

/// Forgets the calls and all that was told below.
using FakeReset = void();
/// `function` fails with `code` from now on.
using FakeFail = void(const char* function, int code);
/// How many passes a group takes, how many records are dropped.
using FakeCounts = void(std::size_t passes, std::size_t dropped);
/// A kernel of `blocks` blocks runs for `ns`, then a copy of as many bytes.
using FakeLaunch = void(int blocks, std::size_t ns);
/// All calls since the reset, each followed by a space.
using FakeCalls = const char*();

FakeReset fake_reset;
FakeFail fake_fail;
FakeCounts fake_counts;
FakeLaunch fake_launch;
FakeCalls fake_calls;
}
