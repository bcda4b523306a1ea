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

# weft_core(target STATIC|SHARED source...)
function(weft_core target type)
    add_library(${target} ${type} ${ARGN})
    weft_compile(${target})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src
        PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(${target} PRIVATE m)
    if(WEFT_THREADS)
        target_link_libraries(${target} PRIVATE Threads::Threads)
    else()
        target_compile_definitions(${target} PRIVATE WEFT_NO_THREADS)
    endif()
    if(WEFT_CHECKED)
        target_compile_definitions(${target} PRIVATE WEFT_CHECKED)
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
    set(timeout 120)
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
