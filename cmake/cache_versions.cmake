# Writes OUTPUT, a C file with a version for each kind of cached results. Usage:
#     cmake -DROOT= -DOUTPUT= -DBUILD= -P cache_versions.cmake
# BUILD is a text that names the compiler and its options. A version is a digest of BUILD and of the sources below, so
# that it changes with the code.
set(FITS base/*.[ch] machine/*.[ch] model/*.[ch] model/*/*.[ch])
set(BITCODE base/identity.c program/includes.c compiler/*.[ch] compiler/*/*.[ch] compiler/*.cl compiler/cuda/*
    compiler/cuda/cub/* compiler/cuda/hipcub/*)
set(SOURCES base/*.[ch] program/*.[ch] compiler/*.[ch] compiler/*/*.[ch] compiler/cuda/host/* transform/source/*.[ch]
    transform/source/clang/* transform/source/host/* transform/layout/*.[ch] transform/layout/clang/*
    transform/staging/*.[ch] transform/staging/*/* collector/worker/*.[ch] collector/worker/server/*)
set(COUNTS base/*.[ch] machine/*.[ch] machine/counters/* program/*.[ch] program/*/*.[ch]
    transform/rewrite/*.[ch] transform/layout/*.[ch] transform/source/*.[ch] transform/source/clang/* collector/*.[ch]
    collector/opencl/* collector/engine/*.[ch] collector/engine/*/* collector/engine/backend/*/* collector/worker/*.[ch]
    collector/worker/server/* compiler/*.[ch] compiler/*/*.[ch] compiler/ptx/emit/* answer/counts/*)
set(LINES "")
foreach(kind FITS BITCODE SOURCES COUNTS)
  list(TRANSFORM ${kind} PREPEND ${ROOT}/ OUTPUT_VARIABLE patterns)
  file(GLOB files LIST_DIRECTORIES false ${patterns})
  list(SORT files)
  set(digests "")
  foreach(file ${files})
    file(SHA1 ${file} digest)
    string(APPEND digests "${digest}\n")
  endforeach()
  string(SHA1 digest "${digests}${BUILD}")
  string(APPEND LINES "    [PM_CACHE_${kind}] = \"${digest}\",\n")
endforeach()
set(TEXT "/* Written by cmake/cache_versions.cmake. */
#include \"base/cache/versions.h\"

const char *const pm_cache_versions[PM_CACHE_KINDS] = {\n${LINES}};
")
set(OLD "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} OLD)
endif()
if(NOT OLD STREQUAL TEXT)
  file(WRITE ${OUTPUT} "${TEXT}")
endif()
