# Builds for 64-bit ARM with Debian's cross-compiler (g++-aarch64-linux-gnu), against the libraries that
# tools/sysroot unpacks. What was built runs here by QEMU (qemu-user-static).

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH CMAKE_SYSROOT)
cmake_path(GET CMAKE_SYSROOT PARENT_PATH CMAKE_SYSROOT)
string(APPEND CMAKE_SYSROOT /build/sysroot-arm64)
if(NOT EXISTS ${CMAKE_SYSROOT}/.packages)
  message(FATAL_ERROR "there are no libraries for ARM in ${CMAKE_SYSROOT}: run tools/sysroot first")
endif()

# Programs are this machine's, and all else is the other's.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR}
  ${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)

find_program(BELLMARK_QEMU NAMES qemu-aarch64-static qemu-aarch64)
if(BELLMARK_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${BELLMARK_QEMU} -L ${CMAKE_SYSROOT})
endif()
