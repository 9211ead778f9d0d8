# Finds CUDA in the same way for Bellmark and for labs.

# The architectures of the present GPUs, from nvidia-smi; else 90, which is Hopper. Each gets machine code,
# and PTX for later GPUs.
function(bellmark_find_architectures result)
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
    OUTPUT_VARIABLE told ERROR_QUIET RESULT_VARIABLE status)
  string(REGEX MATCHALL "[0-9]+[.][0-9]" found "${told}")
  if(NOT status EQUAL 0 OR NOT found)
    set(found 9.0)
  endif()
  list(TRANSFORM found REPLACE "[.]" "")
  list(REMOVE_DUPLICATES found)
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# Enables CUDA when a compiler is there. Sets BELLMARK_HAVE_CUDA, BELLMARK_CUDA_TARGETS (empty when
# off) and BELLMARK_CUDA_REASON. Sanitizer builds test host code: AUTO leaves CUDA out of them.
macro(bellmark_find_cuda)
  set(BELLMARK_CUDA_TARGETS "")
  set(BELLMARK_HAVE_CUDA FALSE)
  if(BELLMARK_CUDA STREQUAL "OFF")
    set(BELLMARK_CUDA_REASON "switched off by BELLMARK_CUDA=OFF")
  elseif(BELLMARK_CUDA STREQUAL "AUTO" AND BELLMARK_SANITIZE)
    set(BELLMARK_CUDA_REASON "left out of sanitizer builds")
  else()
    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
      if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
        bellmark_find_architectures(CMAKE_CUDA_ARCHITECTURES)
      endif()
      set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
      enable_language(CUDA)
      # CMake 3.25 doesn't know that nvcc 12 and later speak C++20.
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA_STANDARD 20)
      # CUDA 13 changed the signatures of the graph API that sssp/harish uses.
      if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
        find_package(CUDAToolkit REQUIRED)
        set(BELLMARK_HAVE_CUDA TRUE)
        set(BELLMARK_CUDA_TARGETS CUDA::cudart_static)
        list(JOIN CMAKE_CUDA_ARCHITECTURES " " architectures)
        set(BELLMARK_CUDA_REASON
          "nvcc ${CMAKE_CUDA_COMPILER_VERSION}, architectures ${architectures}")
      elseif(BELLMARK_CUDA STREQUAL "ON")
        message(FATAL_ERROR "BELLMARK_CUDA=ON needs nvcc 13 or newer, and ${CMAKE_CUDA_COMPILER} is "
                            "${CMAKE_CUDA_COMPILER_VERSION}: set CUDACXX to a newer one")
      else()
        set(BELLMARK_CUDA_REASON
          "nvcc ${CMAKE_CUDA_COMPILER_VERSION} was found, and 13 or newer is needed")
      endif()
    elseif(BELLMARK_CUDA STREQUAL "ON")
      message(FATAL_ERROR "BELLMARK_CUDA=ON, but no CUDA compiler was found: put nvcc on PATH, set "
                          "CUDACXX, or configure with -DBELLMARK_CUDA=AUTO")
    else()
      set(BELLMARK_CUDA_REASON "no nvcc was found when Bellmark was built")
    endif()
  endif()
endmacro()
