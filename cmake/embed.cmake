# SPDX-License-Identifier: MIT
# Files that are compiled into a program, such as the templates of reports.
#
# weft_embed(target file...): the target gets the table embedded_files (tool/report/embedded.h) with these files, by
# their names without folders. An edited file is compiled in again by the next build. It needs no program but CMake:
# this file is also the script that turns bytes into C, called as
#     cmake -D out=table.c -D files=a.html,b.css -P embed.cmake

function(weft_embed target)
    list(TRANSFORM ARGN REPLACE "^([^/])" "${CMAKE_CURRENT_SOURCE_DIR}/\\1" OUTPUT_VARIABLE files)
    list(JOIN files "," joined)
    set(script ${CMAKE_CURRENT_FUNCTION_LIST_FILE})
    set(out ${CMAKE_CURRENT_BINARY_DIR}/${target}_files.c)
    add_custom_command(OUTPUT ${out} COMMAND ${CMAKE_COMMAND} -D out=${out} -D files=${joined} -P ${script}
                       DEPENDS ${files} ${script} COMMENT "Embedding the files of ${target}" VERBATIM)
    target_sources(${target} PRIVATE ${out})
endfunction()

# The bytes of a file as "0x3c,0x21,…", 24 to a line.
function(weft_bytes file out)
    file(READ ${file} hex HEX)
    string(REPEAT "[0-9a-f]" 48 line)
    string(REGEX REPLACE "(${line})" "\\1\n    " hex "${hex}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    set(${out} "${bytes}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    string(REPLACE "," ";" files "${files}")
    set(arrays "")
    set(rows "")
    foreach(file ${files})
        get_filename_component(name ${file} NAME)
        string(MAKE_C_IDENTIFIER ${name} array)
        weft_bytes(${file} bytes)
        string(APPEND arrays "static const unsigned char ${array}[] = {\n    ${bytes}0x00};\n\n")
        string(APPEND rows "    {\"${name}\", (const char *)${array}, sizeof ${array} - 1},\n")
    endforeach()
    file(WRITE ${out} "/* Made by cmake/embed.cmake: edit the files themselves. */\n#include \"report/embedded.h\"\n\n"
         "${arrays}const embedded_file embedded_files[] = {\n${rows}    {0},\n};\n")
endif()
