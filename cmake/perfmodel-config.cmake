# find_package(perfmodel): targets perfmodel::perfmodel, the shared library, and perfmodel::static, the
# static library, which needs the libraries that perfmodel is made with, found by pkg-config:
# find_package(perfmodel COMPONENTS static) fails if one is missing.
# SPDX-License-Identifier: GPL-3.0-or-later
include(${CMAKE_CURRENT_LIST_DIR}/perfmodel-shared.cmake)
set(perfmodel_shared_FOUND TRUE)

if("static" IN_LIST perfmodel_FIND_COMPONENTS)
  include(CMakeFindDependencyMacro)
  find_dependency(PkgConfig)
  find_dependency(Threads)
  pkg_check_modules(perfmodel_PARTS IMPORTED_TARGET gsl jansson libxxhash libzstd liblz4 OpenCL)
  find_library(perfmodel_CSV csv)
  if(perfmodel_PARTS_FOUND AND perfmodel_CSV)
    include(${CMAKE_CURRENT_LIST_DIR}/perfmodel-static.cmake)
    set_property(TARGET perfmodel::static PROPERTY INTERFACE_LINK_LIBRARIES PkgConfig::perfmodel_PARTS
      ${perfmodel_CSV} Threads::Threads ${CMAKE_DL_LIBS} m)
    set(perfmodel_static_FOUND TRUE)
  else()
    set(perfmodel_NOT_FOUND_MESSAGE "the static library needs GSL, jansson, xxHash, zstd, LZ4, OpenCL and libcsv")
  endif()
endif()

foreach(component ${perfmodel_FIND_COMPONENTS})
  if(perfmodel_FIND_REQUIRED_${component} AND NOT perfmodel_${component}_FOUND)
    set(perfmodel_FOUND FALSE)
    if(NOT perfmodel_NOT_FOUND_MESSAGE)
      set(perfmodel_NOT_FOUND_MESSAGE "perfmodel has the components shared and static, and no ${component}")
    endif()
  endif()
endforeach()
