/* Finds clang's version, installed files and header folder from clang's path. Running clang to ask
 * for them would take as long as compiling a short kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CLANG_PLACE_H
#define PM_COMPILER_CLANG_PLACE_H

#include <stdbool.h>
#include <stddef.h>

/* Returns true if the file name of clang ends in LLVM's version, as in /usr/bin/clang-19. */
bool pm_clang_tells_version(const char *path);

/* Writes the path of a file of the LLVM that was installed together with perfmodel, as in a Python
 * wheel. name: path in LLVM's folder, such as "bin/clang-19". Returns false if perfmodel was
 * installed without LLVM. */
bool pm_clang_installed(const char *name, char *path, size_t size);

/* Finds clang's resource folder, lib/clang/VERSION, from the path of the program clang. Symbolic
 * links are resolved. The folder of /usr/lib/llvm-19/bin/clang is in /usr/lib/llvm-19/lib/clang,
 * where clang itself looks for it. Returns false if there is no such folder; then clang must be run
 * to ask for it. */
bool pm_clang_headers(const char *path, char *folder, size_t size);

#endif
