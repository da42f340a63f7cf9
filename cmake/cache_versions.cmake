# Writes OUTPUT, a C file with a version for each kind of cached results. Usage:
#     cmake -DROOT= -DOUTPUT= -DBUILD= -P cache_versions.cmake
# BUILD is a text that names the compiler and its options. A version is a digest of BUILD and of the sources below, so
# that it changes with the code.
set(FITS base/*.c base/*.h gpu/*.c gpu/*.h samples/*.c samples/*.h model/*.c model/*.h model/*/*.c model/*/*.h)
set(BITCODE base/identity.c program/includes.c compiler/*.c compiler/*.h compiler/*/*.c compiler/*/*.h compiler/*.cl compiler/cuda/*)
set(SOURCES base/*.c base/*.h program/*.c program/*.h compiler/*.c compiler/*.h compiler/*/*.c compiler/*/*.h
    source/*.c source/*.h source/clang/* source/host/* compiler/cuda/host/* layout/*.c layout/*.h layout/clang/* staging/*.c staging/*.h staging/*/*
    worker/*.c worker/*.h worker/server/*)
set(COUNTS base/*.c base/*.h gpu/*.c gpu/*.h counters/* program/*.c program/*.h
    suite/*.c suite/*.h suite/*/*.c suite/*/*.h transform/*.c transform/*.h layout/*.c layout/*.h collector/*.c collector/*.h
    collector/opencl/* collector/trace/*.c collector/trace/*.h collector/trace/*/*
    collector/trace/backend/*/* compiler/*.c compiler/*.h compiler/*/*.c compiler/*/*.h source/*.c source/*.h source/clang/*
    worker/*.c worker/*.h worker/server/* counts/*)
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
#include \"cache/versions.h\"

const char *const pm_cache_versions[PM_CACHE_KINDS] = {\n${LINES}};
")
set(OLD "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} OLD)
endif()
if(NOT OLD STREQUAL TEXT)
  file(WRITE ${OUTPUT} "${TEXT}")
endif()
