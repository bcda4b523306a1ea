# SPDX-License-Identifier: MIT
# The player's modules as one script, web/src/*.js put together without their imports and exports. Needs no program but
# CMake:  cmake -D out=player.js -D files=a.js,b.js -P web.cmake
#
# weft_web(out file...): the modules in the order in which they use each other; names are unique over all of them.
# weft_player_modules: those of the player.
set(weft_player_modules codec.js math.js palette.js shapes.js fields.js clip.js plot.js renderer.js player.js)
function(weft_web out)
    list(TRANSFORM ARGN PREPEND "${PROJECT_SOURCE_DIR}/web/src/" OUTPUT_VARIABLE files)
    list(JOIN files "," joined)
    set(script ${CMAKE_CURRENT_FUNCTION_LIST_FILE})
    add_custom_command(OUTPUT ${out} COMMAND ${CMAKE_COMMAND} -D out=${out} -D files=${joined} -P ${script}
                       DEPENDS ${files} ${script} COMMENT "Putting the player together" VERBATIM)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    string(REPLACE "," ";" files "${files}")
    set(all "")
    foreach(file ${files})
        file(READ ${file} text)
        string(REGEX REPLACE "(^|\n)import [^\n]*" "\\1" text "${text}")
        string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
        string(REGEX REPLACE "(^|\n) *//[^\n]*" "\\1" text "${text}")
        string(REGEX REPLACE "\n[\n ]+" "\n" text "${text}")
        string(APPEND all "${text}")
    endforeach()
    file(WRITE ${out} "(() => {\n\"use strict\";\n${all}})();\n")
endif()
