# Whether this build has CUDA, which only the microbenchmarks need: sets
# WARPWISE_CUDA_COMPILER to TRUE and enables the language, or says why not.
# Included at the top of the project, because enable_language has to be there.
# Lines that begin with "warpwise:" are what ./dev shows of the configuration.

find_path(WARPWISE_CUDA_TOOLKIT include/cuda.h
          HINTS ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda)

set(WARPWISE_CUDA_COMPILER FALSE)
if(NOT WARPWISE_CUDA_TOOLKIT)
  message(STATUS "warpwise: no CUDA toolkit found; kernels are read with the "
                 "built-in headers, and what runs on a GPU is left out")
  return()
endif()
if(WARPWISE_SANITIZE)
  message(STATUS "warpwise: the microbenchmarks are left out of this build, "
                 "because the sanitizers do not know CUDA's memory")
  return()
endif()

# nvcc knows a new GCC sooner than a new Clang.
find_program(WARPWISE_CUDA_HOST_COMPILER NAMES g++)
if(NOT CMAKE_CUDA_HOST_COMPILER AND WARPWISE_CUDA_HOST_COMPILER)
  set(CMAKE_CUDA_HOST_COMPILER "${WARPWISE_CUDA_HOST_COMPILER}")
endif()
find_program(WARPWISE_NVCC nvcc HINTS "${WARPWISE_CUDA_TOOLKIT}/bin")
if(NOT CMAKE_CUDA_COMPILER AND WARPWISE_NVCC)
  set(CMAKE_CUDA_COMPILER "${WARPWISE_NVCC}")
endif()
if(CCACHE AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${CCACHE}")
endif()
# The kernels' own list is below; this one is for CMake's test of the compiler.
if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90)
endif()

include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  message(STATUS "warpwise: ${WARPWISE_CUDA_TOOLKIT} has no nvcc that works; "
                 "what runs on a GPU is left out")
  return()
endif()
enable_language(CUDA)
warpwise_keep_asserts(CUDA)
find_package(CUDAToolkit REQUIRED)
set(WARPWISE_CUDA_COMPILER TRUE)
# CMake 3.25 does not know that nvcc has C++20.
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)

# Machine code for Hopper; for the others PTX, which the driver compiles at the
# first start: of the oldest architecture, and of those that brought instructions
# that a benchmark asks for (cp.async with 80, bulk copies with 90).
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13)
  set(oldest 70-virtual)
else()
  set(oldest 75-virtual)
endif()
set(WARPWISE_CUDA_ARCHITECTURES
    "${oldest};80-virtual;90"
    CACHE STRING "Architectures of the microbenchmarks, as CUDA_ARCHITECTURES")
