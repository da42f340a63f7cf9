/* What the output of a clang depends on, as part of a cache's key.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CLANG_KEY_H
#define PM_COMPILER_CLANG_KEY_H

#include "base/digest.h"
#include "base/wire.h"
#include "compiler/options/build_options.h"

/* Writes the identity of clang with its libraries and its own headers, of a CUDA toolkit that clang
 * adapts its target to, and of what the environment tells clang. headers: the folder without
 * include. */
void pm_clang_key_tools(const char *clang, const char *headers, pm_wire *key);

/* Writes the identities of LLVM's and clang's shared libraries in a folder. */
void pm_clang_key_libraries(const char *folder, pm_wire *key);

typedef struct {
    pm_digest tools;               /* of what pm_clang_key_tools wrote */
    const char *headers;           /* as above */
    const pm_arguments *arguments; /* all of clang's */
    const char *source, *path;
} pm_clang_input;

/* Writes everything that the output for a source depends on: tools, arguments, files that arguments
 * name, the source, and what it may include. false: the output may depend on more. */
bool pm_clang_key_write(const pm_clang_input *input, pm_wire *key);

#endif
