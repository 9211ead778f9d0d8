// The test's settings for the fake libcupti, which is also the fake CUDA driver. Found by dlsym().
#pragma once

#include <cstddef>

extern "C" {

/// Forgets the calls and all settings below.
using FakeReset = void();
/// `function` fails with `code` from this call on.
using FakeFail = void(const char* function, int code);
/// The passes of a group, and the number of dropped records.
using FakeCounts = void(std::size_t passes, std::size_t dropped);
/// A kernel of `blocks` blocks runs for `ns`, then a copy of `blocks` bytes.
using FakeLaunch = void(int blocks, std::size_t ns);
/// All calls since the reset, each followed by a space.
using FakeCalls = const char*();

FakeReset fake_reset;
FakeFail fake_fail;
FakeCounts fake_counts;
FakeLaunch fake_launch;
FakeCalls fake_calls;
}
