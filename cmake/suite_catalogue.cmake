# Writes OUTPUT, a C file that describes the programs of the suite, from their workload files: each is
# kernels/NAME/NAME.workload. Usage:
#     cmake -DROOT= -DOUTPUT= -P suite_catalogue.cmake
# Lists and checks of names need no more of a program than this, and no file is read for them.
file(GLOB FILES ${ROOT}/kernels/*/*.workload)
list(SORT FILES)
set(TEXT "/* Written by cmake/suite_catalogue.cmake. */\n#include \"program/program.h\"\n")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME_WE)
  get_filename_component(folder ${file} DIRECTORY)
  get_filename_component(folder ${folder} NAME)
  if(NOT name STREQUAL folder)
    continue()
  endif()
  file(READ ${file} text)
  # CMake's lists take brackets and semicolons for their own.
  string(REGEX REPLACE "[[]([a-z]+) ?([^]\n]*)[]]" "<\\1 \\2>" text "${text}")
  string(REPLACE ";" "," text "${text}")
  string(REGEX REPLACE "[^\n]*[][][^\n]*" "" text "${text}")
  string(REPLACE "\n" ";" lines "${text}")
  set(title "")
  set(base "")
  set(probe false)
  set(sizes "")
  set(variants "")
  set(layouts "")
  set(named "")
  foreach(line IN LISTS lines)
    if(line MATCHES "^<size (.*)>$")
      string(APPEND sizes ", \"${CMAKE_MATCH_1}\"")
    elseif(line MATCHES "^<variant (.*)>$")
      string(APPEND variants ", \"${CMAKE_MATCH_1}\"")
    elseif(line MATCHES "^layouts = (.*)$" AND NOT CMAKE_MATCH_1 STREQUAL "no")
      string(REPLACE ", " "\", \"" layouts ", \"${CMAKE_MATCH_1}\"")
      string(REGEX REPLACE "^\", \"" ", " layouts "${layouts}")
    elseif(line MATCHES "^<layout (.*)>$")
      set(layout ${CMAKE_MATCH_1})
      string(APPEND layouts ", \"${layout}\"")
    elseif(line MATCHES "^layout = (.*)$")
      string(APPEND named "{\"${layout}\", \"${CMAKE_MATCH_1}\"}, ")
    elseif(line MATCHES "^title = (.*)$")
      set(title ${CMAKE_MATCH_1})
    elseif(line MATCHES "^base = (.*)$")
      set(base ${CMAKE_MATCH_1})
    elseif(line STREQUAL "probe = yes")
      set(probe true)
    endif()
  endforeach()
  if(title STREQUAL "" OR base STREQUAL "" OR sizes STREQUAL "")
    message(FATAL_ERROR "${file}: a program of the suite has a title, a base and sizes")
  endif()
  if(NOT variants MATCHES ", \"${base}\"")
    string(PREPEND variants ", \"${base}\"")
  endif()
  string(APPEND variants "${layouts}")
  set(has_layouts false)
  if(base STREQUAL "aos")
    set(has_layouts true)
  endif()
  string(SUBSTRING "${sizes}" 2 -1 sizes)
  string(SUBSTRING "${variants}" 2 -1 variants)
  set(base_text "\"${base}\"")
  if(probe)
    set(base_text NULL) # transforms do not start from a benchmark of the device
  endif()
  string(APPEND TEXT "
const pm_program pm_program_${name} = {
    .info = {.name = \"${name}\",
             .title = \"${title}\",
             .probe = ${probe},
             .layouts = ${has_layouts},
             .base = ${base_text},
             .variants = PM_NAMES(${variants}),
             .sizes = PM_NAMES(${sizes})},
    .file = \"${name}/${name}.workload\",
    .layouts = (const pm_named_layout[]){${named}{NULL, NULL}},
};
")
endforeach()
set(OLD "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} OLD)
endif()
if(NOT OLD STREQUAL TEXT)
  file(WRITE ${OUTPUT} "${TEXT}")
endif()
