/* What the place of a clang tells, so that clang need not be started to ask it: each start costs as
 * much as compiling a short kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CLANG_PLACE_H
#define PM_COMPILER_CLANG_PLACE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the path is a program's that has the version of LLVM in its name: /usr/bin/clang-19. */
bool pm_clang_tells_version(const char *path);

/* Writes the path of a file of the LLVM that is installed together with perfmodel, as in a wheel:
 * "bin/clang-19". Returns false if perfmodel was installed without LLVM. */
bool pm_clang_installed(const char *name, char *path, size_t size);

/* The folder of clang's own headers, without include, where clang itself looks for it: lib/clang
 * beside the folder of the program, behind all links. false: it is not there, and only clang knows.
 */
bool pm_clang_headers(const char *path, char *folder, size_t size);

#endif
