/* Derives the version, the installed files and the header folder of clang from its path. Running
 * clang to get them would take as long as compiling a short kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CLANG_PLACE_H
#define PM_COMPILER_CLANG_PLACE_H

#include <stdbool.h>
#include <stddef.h>

/* True if the file name of clang ends in LLVM's version, as in /usr/bin/clang-19. */
bool pm_clang_tells_version(const char *path);

/* Writes the path of a file of the LLVM that was installed together with perfmodel, as in a
 * Python wheel. name is for example "bin/clang-19". Returns false if perfmodel was installed
 * without LLVM. */
bool pm_clang_installed(const char *name, char *path, size_t size);

/* Finds clang's resource folder where clang looks for it: in lib/clang beside the folder of the
 * program, with symbolic links resolved. False if the folder is not there; then only clang itself
 * can say where it is. */
bool pm_clang_headers(const char *path, char *folder, size_t size);

#endif
