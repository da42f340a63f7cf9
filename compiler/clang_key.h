/* Writes the inputs on which clang's output depends into cache keys.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CLANG_KEY_H
#define PM_COMPILER_CLANG_KEY_H

#include "base/digest.h"
#include "base/wire.h"
#include "compiler/options/build_options.h"

/* Writes into a cache key which versions of files clang uses: the program clang, its libraries, its
 * own headers, and the CUDA toolkits that it may find. Also writes the environment variables that
 * clang reads. headers: clang's resource folder, lib/clang/VERSION. */
void pm_clang_key_tools(const char *clang, const char *headers, pm_wire *key);

/* Writes into a cache key which versions of LLVM's and clang's shared libraries are in a folder. */
void pm_clang_key_libraries(const char *folder, pm_wire *key);

typedef struct {
    pm_digest tools;               /* digest of the data that pm_clang_key_tools writes */
    const char *headers;           /* clang's resource folder, lib/clang/VERSION */
    const pm_arguments *arguments; /* all arguments of clang */
    const char *source, *path;
} pm_clang_input;

/* Writes into a key all inputs on which clang's output for a source depends: tools, arguments,
 * files named by arguments, the source, and the files that it may include. Returns false if the
 * output may depend on further inputs, so that it must not be cached. */
bool pm_clang_key_write(const pm_clang_input *input, pm_wire *key);

#endif
