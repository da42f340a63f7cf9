# pm_join_sources(VARIABLE NAME) replaces the C files in the list VARIABLE by files that include several of them each,
# if PM_JOIN_SOURCES is set. Only files with the same COMPILE_OPTIONS are joined. NAME begins the new files' names. If a
# change gives two joined files the same name of a function, run CMake again.
function(pm_join_sources variable name)
  list(LENGTH ${variable} count)
  if(NOT PM_JOIN_SOURCES OR NOT Python3_FOUND OR count LESS 2)
    return()
  endif()
  set(kinds "")
  foreach(file ${${variable}})
    get_filename_component(file ${file} ABSOLUTE)
    get_source_file_property(options ${file} COMPILE_OPTIONS)
    string(SHA1 kind "${options}")
    list(APPEND kinds ${kind})
    list(APPEND files_${kind} ${file})
    set(options_${kind} "${options}")
  endforeach()
  list(REMOVE_DUPLICATES kinds)
  set(number 0)
  set(all "")
  foreach(kind ${kinds})
    math(EXPR number "${number} + 1")
    execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/cmake/join_sources.py ${CMAKE_BINARY_DIR}/joined
                            ${name}_${number} 5000 ${files_${kind}}
                    OUTPUT_VARIABLE joined COMMAND_ERROR_IS_FATAL ANY)
    # A local variable may have the name of another file's function.
    set_source_files_properties(${joined} PROPERTIES COMPILE_OPTIONS -Wno-shadow)
    if(options_${kind})
      set_property(SOURCE ${joined} APPEND PROPERTY COMPILE_OPTIONS ${options_${kind}})
    endif()
    list(APPEND all ${joined})
  endforeach()
  set(${variable} ${all} PARENT_SCOPE)
endfunction()
