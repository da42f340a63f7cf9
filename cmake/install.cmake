# What `cmake --install` puts where. Everything is found relative to the program, so that any prefix
# will do and an installed copy may be moved.

# A shared library exports what the headers declare; the list is read from them.
file(GLOB PM_HEADERS CONFIGURE_DEPENDS include/perfmodel/*.h)
set(PM_LINES "")
foreach(header ${PM_HEADERS})
  file(STRINGS ${header} lines REGEX "^[a-z].*pm_[a-z0-9_]+\\(")
  list(APPEND PM_LINES ${lines})
endforeach()
set(PM_EXPORTS "")
foreach(line ${PM_LINES})
  if(line MATCHES "(pm_[a-z0-9_]+)\\(")
    string(APPEND PM_EXPORTS "    ${CMAKE_MATCH_1};\n")
  endif()
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PM_HEADERS})
set(PM_MAP ${CMAKE_BINARY_DIR}/perfmodel.map)
file(CONFIGURE OUTPUT ${PM_MAP} CONTENT "PERFMODEL_1 {\nglobal:\n@PM_EXPORTS@local: *;\n};\n" @ONLY)
target_link_options(perfmodel PRIVATE LINKER:--version-script=${PM_MAP})
set_target_properties(perfmodel PROPERTIES LINK_DEPENDS ${PM_MAP})

# For pkg-config: perfmodel is the shared library, perfmodel-static the static one with the libraries that it
# needs. A program finds a shared library outside of the system's folders by its rpath.
file(RELATIVE_PATH PM_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" PM_PC_PREFIX "${PM_PC_PREFIX}")
set(PM_PC_RPATH " -Wl,-rpath,\${libdir}")
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(PM_PC_RPATH "")
endif()
configure_file(cmake/perfmodel.pc.in perfmodel.pc @ONLY)
configure_file(cmake/perfmodel-static.pc.in perfmodel-static.pc @ONLY)

set(PM_DATA ${CMAKE_INSTALL_DATADIR}/perfmodel)
install(TARGETS perfmodel EXPORT perfmodel-shared LIBRARY COMPONENT library NAMELINK_COMPONENT devel
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS perfmodel_static EXPORT perfmodel-static ARCHIVE COMPONENT devel
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# A program that the static library becomes part of may lie anywhere: the library has to know the
# prefix that it is installed into. Its object that says so is compiled anew.
install(CODE "set(pm_compiler \"${CMAKE_C_COMPILER}\")
  set(pm_archiver \"${CMAKE_AR}\")
  set(pm_object \"${CMAKE_BINARY_DIR}/installed.c.o\")
  set(pm_library \"${CMAKE_INSTALL_LIBDIR}/$<TARGET_FILE_NAME:perfmodel_static>\")" COMPONENT devel)
install(CODE [[
  string(REPLACE "\\" "\\\\" pm_prefix "${CMAKE_INSTALL_PREFIX}")
  string(REPLACE "\"" "\\\"" pm_prefix "${pm_prefix}")
  file(WRITE "${pm_object}.c" "const char pm_installed_prefix[] = \"${pm_prefix}\";\n")
  execute_process(COMMAND "${pm_compiler}" -fPIC -c "${pm_object}.c" -o "${pm_object}"
                  COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${pm_archiver}" r "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${pm_library}"
                          "${pm_object}" COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE "${pm_object}" "${pm_object}.c")]] COMPONENT devel)

# find_package(perfmodel): perfmodel::perfmodel is the shared library, perfmodel::static the static one.
include(CMakePackageConfigHelpers)
set(PM_CMAKE ${CMAKE_INSTALL_LIBDIR}/cmake/perfmodel)
install(EXPORT perfmodel-shared NAMESPACE perfmodel:: DESTINATION ${PM_CMAKE} COMPONENT devel)
install(EXPORT perfmodel-static NAMESPACE perfmodel:: DESTINATION ${PM_CMAKE} COMPONENT devel)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/perfmodel-config-version.cmake
                                 COMPATIBILITY SameMajorVersion)
install(FILES cmake/perfmodel-config.cmake ${CMAKE_BINARY_DIR}/perfmodel-config-version.cmake
        DESTINATION ${PM_CMAKE} COMPONENT devel)
# With PM_SHIP_LLVM the clang that compiles kernels is installed, too, for systems without it, such as a wheel's.
# The shared libraries that it loads are left to the packager.
option(PM_SHIP_LLVM "Install clang, its headers and libclc" OFF)
if(PM_SHIP_LLVM AND PM_LLVM_MAJOR)
  set(PM_LLVM_FILES ${CMAKE_INSTALL_LIBDIR}/perfmodel/llvm)
  file(REAL_PATH ${PM_CLANG} PM_CLANG_FILE)
  execute_process(COMMAND ${PM_CLANG} -print-resource-dir OUTPUT_VARIABLE PM_CLANG_FOLDER
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  get_filename_component(PM_LIBCLC_FOLDER ${PM_LIBCLC} DIRECTORY)
  install(PROGRAMS ${PM_CLANG_FILE} DESTINATION ${PM_LLVM_FILES}/bin RENAME clang-${PM_LLVM_MAJOR} COMPONENT modules)
  install(DIRECTORY ${PM_CLANG_FOLDER}/include/ DESTINATION ${PM_LLVM_FILES}/lib/clang/${PM_LLVM_MAJOR}/include
          COMPONENT modules)
  install(FILES ${PM_LIBCLC} ${PM_LIBCLC_FOLDER}/amdgcn--amdhsa.bc DESTINATION ${PM_LLVM_FILES} COMPONENT modules)
endif()

if(TARGET perfmodel_cli)
  install(TARGETS perfmodel_cli COMPONENT program)
  # Beside perfmodel, which it starts.
  configure_file(scripts/intercept_to_workload.py ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/perfmodel-intercept COPYONLY)
  install(PROGRAMS scripts/intercept_to_workload.py DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME perfmodel-intercept
          COMPONENT program)
endif()
install(FILES include/perfmodel.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT devel)
install(FILES ${PM_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/perfmodel
        COMPONENT devel)
install(FILES ${CMAKE_BINARY_DIR}/perfmodel.pc ${CMAKE_BINARY_DIR}/perfmodel-static.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT devel)
install(DIRECTORY kernels DESTINATION ${PM_DATA} COMPONENT data FILES_MATCHING PATTERN "*.cl" PATTERN "*.cu"
        PATTERN "*.cuh" PATTERN "*.ptx" PATTERN "*.workload")
install(DIRECTORY datasets DESTINATION ${PM_DATA} COMPONENT data OPTIONAL
        FILES_MATCHING PATTERN "*.csv" PATTERN "*.json")
install(FILES machine/counters/counters.ini machine/counters/profilers.csv collector/engine/backend/instructions.ini
              compiler/prelude.cl DESTINATION ${PM_DATA} COMPONENT data)
install(DIRECTORY compiler/cuda DESTINATION ${PM_DATA} COMPONENT data)
install(DIRECTORY report/page DESTINATION ${PM_DATA} COMPONENT data)
if(PM_CHART_JS)
  install(FILES ${PM_CHART_JS} DESTINATION ${PM_DATA} RENAME chart.js COMPONENT data)
endif()
install(FILES docs/man/perfmodel.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES packaging/completions/perfmodel.bash RENAME perfmodel
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(FILES packaging/completions/_perfmodel DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
        COMPONENT program)
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
