# SPDX-License-Identifier: MIT
# How Weft's targets are compiled, and how tests and samples say what they need.

# Same bits everywhere: no contraction to fused multiply-add, never fast-math. That sqrt need not set errno changes no
# value and saves a branch.
set(weft_flags -ffp-contract=off -fno-math-errno)
set(weft_warnings
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes -Wmissing-prototypes
    -Wdouble-promotion -Wvla -Wno-psabi)

# weft_compile(target): language, flags and warnings of our own code.
function(weft_compile target)
    set_target_properties(${target} PROPERTIES C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
                          C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE ${weft_flags} ${weft_warnings})
    if(WEFT_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(WEFT_SANITIZE)
        set(sanitize -fsanitize=${WEFT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
        target_compile_options(${target} PRIVATE ${sanitize})
        target_link_options(${target} PUBLIC ${sanitize})
    endif()
endfunction()

# weft_inside_of(target): what all sources of the core see.
function(weft_inside_of target)
    weft_compile(${target})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src
        PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    if(NOT WEFT_THREADS)
        target_compile_definitions(${target} PRIVATE WEFT_NO_THREADS)
    endif()
endfunction()

# weft_kernels(target source...): compiles the kernels among the sources (*_kernel.c, src/math/kernel.h) once more, for
# processors with AVX2; the target holds both copies and chooses when it runs. Files *_avx512.c are for those with
# AVX-512 alone.
function(weft_kernels target)
    set(avx512 ${ARGN})
    list(FILTER avx512 INCLUDE REGEX "_avx512\\.c$")
    set_source_files_properties(${avx512} PROPERTIES
                                COMPILE_OPTIONS "-mavx512f;-mavx512vl;-mavx512dq;-mavx512bw")
    list(FILTER ARGN INCLUDE REGEX "_kernel\\.c$")
    add_library(${target}_avx2 OBJECT EXCLUDE_FROM_ALL ${ARGN})
    weft_inside_of(${target}_avx2)
    target_compile_options(${target}_avx2 PRIVATE -mavx2)
    target_compile_definitions(${target}_avx2 PRIVATE WEFT_KERNEL_AVX2)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_avx2>)
    target_compile_definitions(${target} PRIVATE WEFT_WITH_AVX2)
endfunction()

# Whether there is a second copy to be made: a compiler for x86-64 that can, and can ask the processor.
if(WEFT_AVX2)
    include(CheckCSourceCompiles)
    set(CMAKE_REQUIRED_FLAGS "-mavx2 -mavx512f -mavx512vl -mavx512dq -mavx512bw")
    check_c_source_compiles("
        #if !defined(__x86_64__)
        #error another processor
        #endif
        #include <immintrin.h>
        int main(void)
        {
            __m256d a = _mm256_setzero_pd();
            return __builtin_cpu_supports(\"avx2\") && _mm256_movemask_pd(a);
        }" WEFT_COMPILES_AVX2)
    unset(CMAKE_REQUIRED_FLAGS)
endif()

# weft_core(target STATIC|SHARED source...)
function(weft_core target type)
    add_library(${target} ${type} ${ARGN})
    weft_inside_of(${target})
    target_link_libraries(${target} PRIVATE m)
    if(WEFT_THREADS)
        target_link_libraries(${target} PRIVATE Threads::Threads)
    endif()
    if(WEFT_AVX2 AND WEFT_COMPILES_AVX2)
        weft_kernels(${target} ${ARGN})
    endif()
endfunction()

# weft_files(target STATIC|SHARED core source...): libweft-io on top of the core.
function(weft_files target type core)
    add_library(${target} ${type} ${ARGN})
    weft_compile(${target})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_include_directories(${target} SYSTEM PRIVATE ${YAML_INCLUDE_DIR} ${ZSTD_INCLUDE_DIR})
    target_link_libraries(${target} PUBLIC ${core} PRIVATE yaml zstd m)
endfunction()

# weft_wishes(file key out): the rest of the first line of the form  /* key: ... */  in a source file, as a list.
function(weft_wishes file key out)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} line REGEX "/\\* ${key}: .*\\*/" LIMIT_COUNT 1 ENCODING UTF-8)
    set(wishes "")
    if(line MATCHES "/\\* ${key}: *(.*[^ ]) *\\*/")
        string(REGEX REPLACE " +" ";" wishes "${CMAKE_MATCH_1}")
    endif()
    set(${out} "${wishes}" PARENT_SCOPE)
endfunction()

# weft_configure_test(test file label...): labels and time limit, those given and those the file asks for by a line
#     /* ctest: labels=threads,slow timeout=300 */
# and the labels again in ${test}_labels for the caller.
function(weft_configure_test test file)
    set(labels ${ARGN})
    set(timeout 300) # against what never ends: on a busy machine a test takes several times its seconds
    weft_wishes(${file} ctest wishes)
    foreach(wish ${wishes})
        if(wish MATCHES "^labels=(.+)$")
            string(REPLACE "," ";" more "${CMAKE_MATCH_1}")
            list(APPEND labels ${more})
        elseif(wish MATCHES "^timeout=([0-9]+)$")
            set(timeout ${CMAKE_MATCH_1})
        else()
            message(FATAL_ERROR "${file}: '${wish}' in the ctest line is neither labels=a,b nor timeout=seconds")
        endif()
    endforeach()
    math(EXPR timeout "${timeout} * ${WEFT_TIMEOUT_FACTOR}")
    set_tests_properties(${test} PROPERTIES LABELS "${labels}" TIMEOUT ${timeout})
    if("threads" IN_LIST labels)
        set_tests_properties(${test} PROPERTIES PROCESSORS 2)
    endif()
    set(${test}_labels "${labels}" PARENT_SCOPE)
endfunction()
