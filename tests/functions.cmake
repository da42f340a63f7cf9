# Functions that add tests. A folder's CMakeLists.txt has a line for each test that needs other settings than the
# default:
#
#   pm_test(test_tune BUILD release COST 20)        the file test_tune.c, .py or .sh of the folder
#   pm_other_tests()                                all test_*.c, .py and .sh that no line names
#
# BUILD: the build in which scripts/test.sh runs the test. `sanitized` is the default; `release` is for slow tests and
# for tests of the program as users get it. COST: processor time of the test in that build in seconds (default 2). Tests
# with a high cost start first. A test that takes more than 30 s of processor time is named at the end of a run. It fails
# at twice that time, or later on a slow machine (tests/run_test.c). A test that is skipped says why and ends with exit
# code 77.
#
# Other words of pm_test:
#   ARGS       arguments of the program
#   SOURCES    further C sources
#   LIBRARIES  further libraries, for example perfmodel_engine
#   PARTS      number of tests that it is split into, NAME_1 to NAME_n: each runs a part of the methods of a Python
#              script (program.py), or of the TESTs of a C file (unit.c)
#   EACH_RUN   how many of the PARTS scripts/test.sh runs. The commit's seed chooses which, so that later commits run the
#              others; --all runs all parts. For tests that hold many cases against somebody else's code or results
#   WORKER     a build without LLVM, which has no worker, leaves the C program out; it leaves out all scripts
#   NO_WORKER  the script runs in a build without LLVM too
#   ENVIRONMENT, TIMEOUT (600 s)  as in set_tests_properties

# Include folders, definitions and libraries of C tests.
add_library(pm_test_settings INTERFACE)
target_include_directories(pm_test_settings INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_definitions(pm_test_settings INTERFACE PM_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
  PM_LLVM_MAJOR=${PM_LLVM_MAJOR} PM_CLANG="${PM_CLANG}" PM_LIBCLC="${PM_LIBCLC}")
target_link_libraries(pm_test_settings INTERFACE perfmodel_core pm_warnings PkgConfig::GSL PkgConfig::JANSSON
                                                 OpenCL::OpenCL m ${CMAKE_DL_LIBS})

# LeakSanitizer guesses the size of thread-local variables in loaded libraries from their address. It crashes if one
# starts 16 bytes into a page (ScanRangeForPointers), so intercept_tls_get_addr=0 stops it from scanning them.
# handle_sigill: AddressSanitizer prints the position of undefined behaviour, at which scripts/test.sh lets programs trap.
# PERFMODEL_CUDA_COMPILER: tests give the same result on machines with and without nvcc.
set(PM_TEST_ENVIRONMENT PERFMODEL_CUDA_COMPILER=clang ASAN_OPTIONS=handle_sigill=1
    LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_SOURCE_DIR}/lsan.supp:print_suppressions=0:intercept_tls_get_addr=0
    SOURCE=${CMAKE_SOURCE_DIR} BUILD=${CMAKE_BINARY_DIR} CMAKE=${CMAKE_COMMAND} CC=${CMAKE_C_COMPILER} CLANG=${PM_CLANG})
if(TARGET perfmodel_cli)
  list(APPEND PM_TEST_ENVIRONMENT PERFMODEL=$<TARGET_FILE:perfmodel_cli> PAGES=$<TARGET_FILE:report_pages>)
endif()

# Sets the variable `result` to `all` with PM_TESTS_ALL, which scripts/test.sh --all sets, and else to `number`. Random
# tests take their number of cases from it.
function(pm_share_or_all result number all)
  if(PM_TESTS_ALL)
    set(number ${all})
  endif()
  set(${result} ${number} PARENT_SCOPE)
endfunction()

# Sets the variable `result` to the number of a test's parts in this run: each_run, or all parts
# with PM_TESTS_ALL or if each_run is empty.
function(pm_parts_of_run result each_run parts)
  if(PM_TESTS_ALL OR NOT each_run OR NOT PM_TESTS_ONCE)
    set(each_run ${parts})
  endif()
  set(${result} ${each_run} PARENT_SCOPE)
endfunction()

# Adds a program that tests start. With PM_TESTS_ONCE only the build `build` has it.
function(pm_test_program name build)
  set(sources ${ARGN})
  pm_join_sources(sources ${name})
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE pm_test_settings)
  # GCC's linker plugin optimizes across files without being asked, which takes 5 s for a test.
  if(PM_INLINE_ACROSS)
    target_link_options(${name} PRIVATE -fno-lto)
  endif()
  # Without optimization and UndefinedBehaviorSanitizer tests compile in half the time.
  if(PM_TESTS_ONCE AND PM_SANITIZE)
    target_compile_options(${name} PRIVATE -O0 -fno-sanitize=undefined)
  elseif(PM_TESTS_ONCE)
    target_compile_options(${name} PRIVATE -O1)
  endif()
  pm_in_build(${build} here)
  if(PM_TESTS_ONCE AND NOT here)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endfunction()

# Sets the variable `result` to whether scripts/test.sh runs tests of `build` in this build.
function(pm_in_build build result)
  if(NOT build MATCHES "^(release|sanitized)$")
    message(FATAL_ERROR "${build}: a test's BUILD is release or sanitized")
  endif()
  set(here sanitized)
  if(NOT PM_SANITIZE)
    set(here release)
  endif()
  string(COMPARE EQUAL ${here} ${build} same)
  set(${result} ${same} PARENT_SCOPE)
endfunction()

# Adds a command as a test: pm_command_test(NAME [BUILD ...] [COST ...] [ENVIRONMENT ...] [PARTS ...] [EACH_RUN ...]
# COMMAND ...).
function(pm_command_test name)
  cmake_parse_arguments(PARSE_ARGV 1 T "" "BUILD;COST;TIMEOUT;PARTS;EACH_RUN" "COMMAND;ENVIRONMENT")
  set_property(DIRECTORY APPEND PROPERTY PM_TESTS_NAMED ${name})
  foreach(default BUILD=sanitized COST=2 TIMEOUT=600)
    string(REGEX MATCH "(.+)=(.+)" found ${default})
    if(NOT T_${CMAKE_MATCH_1})
      set(T_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
    endif()
  endforeach()
  pm_in_build(${T_BUILD} here)
  if(PM_TESTS_ONCE AND NOT here)
    return()
  endif()
  set(names ${name})
  if(T_PARTS)
    pm_parts_of_run(each "${T_EACH_RUN}" ${T_PARTS})
    set(names)
    foreach(part RANGE 1 ${each})
      list(APPEND names ${name}_${part})
    endforeach()
  endif()
  set(part 0)
  foreach(test ${names})
    math(EXPR part "${part} + 1")
    set(environment ${PM_TEST_ENVIRONMENT} ${T_ENVIRONMENT})
    if(T_PARTS)
      list(APPEND environment PERFMODEL_TEST_PART=${part}/${T_PARTS} PERFMODEL_TEST_EACH_RUN=${each})
    endif()
    add_test(NAME ${test} COMMAND run_test ${test} ${T_COMMAND})
    set_tests_properties(${test} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${T_TIMEOUT} COST ${T_COST}
                                            ENVIRONMENT "${environment}")
  endforeach()
endfunction()

function(pm_test name)
  cmake_parse_arguments(PARSE_ARGV 1 T "WORKER;NO_WORKER" "BUILD;COST;TIMEOUT;PARTS;EACH_RUN" "ARGS;SOURCES;LIBRARIES;ENVIRONMENT")
  if(NOT T_BUILD)
    set(T_BUILD sanitized)
  endif()
  set(file ${CMAKE_CURRENT_SOURCE_DIR}/${name})
  set_property(DIRECTORY APPEND PROPERTY PM_TESTS_NAMED ${name})
  if(NOT TARGET perfmodel_worker)
    if(T_WORKER OR "perfmodel_engine" IN_LIST T_LIBRARIES OR (NOT EXISTS ${file}.c AND NOT T_NO_WORKER))
      return()
    endif()
  endif()
  if(EXISTS ${file}.c)
    pm_test_program(${name} ${T_BUILD} ${file}.c ${T_SOURCES})
    target_link_libraries(${name} PRIVATE unit ${T_LIBRARIES})
    set(command $<TARGET_FILE:${name}>)
  elseif(EXISTS ${file}.py)
    if(NOT Python3_FOUND)
      return()
    endif()
    set(command ${Python3_EXECUTABLE} ${file}.py)
  else()
    set(command ${file}.sh)
  endif()
  pm_command_test(${name} BUILD ${T_BUILD} COST ${T_COST} TIMEOUT ${T_TIMEOUT} PARTS ${T_PARTS} EACH_RUN ${T_EACH_RUN}
                  ENVIRONMENT ${T_ENVIRONMENT} COMMAND ${command} ${T_ARGS})
endfunction()

# Adds all tests of the folder that no earlier line has added. ARGN: further words for each C test.
function(pm_other_tests)
  file(GLOB files CONFIGURE_DEPENDS test_*.c test_*.py test_*.sh)
  get_property(added DIRECTORY PROPERTY PM_TESTS_NAMED)
  foreach(file ${files})
    get_filename_component(name ${file} NAME_WE)
    if(NOT name IN_LIST added)
      pm_test(${name} ${ARGN})
    endif()
  endforeach()
endfunction()
