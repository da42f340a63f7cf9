/* Parts of libclc, which are linked in place of all of libclc. Linking libclc takes clang longer
 * than compiling a small kernel, because clang reads the declarations of all its 10,000 functions.
 * If a source is compiled several times with different options, as for tuning, later compilations
 * link a part that has only the functions that earlier compilations needed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_LIBCLC_PARTS_H
#define PM_COMPILER_LIBCLC_PARTS_H

#include "compiler/compile.h"
#include "compiler/options/libclc_names.h"

typedef struct pm_libclc_parts pm_libclc_parts;

/* Creates the table of sources and their parts of libclc: files with only the functions that a
 * source needs. cutter: makes such a file; it must exist as long as the table. Returns NULL if
 * memory runs out. */
pm_libclc_parts *pm_libclc_parts_create(pm_libclc_cutter cutter);
void pm_libclc_parts_free(pm_libclc_parts *parts);

/* Opens the part of libclc for the source `path`: a file without a name, with only the functions
 * that the source needed so far. libclc: path of libclc's bitcode. Returns the file's descriptor,
 * which the caller closes. Returns -1 if the source has no part, because it was compiled too few
 * times or no part can be made. */
int pm_libclc_parts_open(pm_libclc_parts *parts, const char *path, const char *libclc);

/* Returns whether a part of libclc (part: file descriptor) has all functions of libclc that
 * `bitcode` calls. If so, `bitcode` is the same as if it were linked with all of libclc. names: all
 * names of libclc's functions. */
bool pm_libclc_parts_suffice(int part, const pm_libclc_names *names, const void *bitcode,
                             size_t bytes);

/* Records which functions of libclc the bitcode of the source `path` calls. The bitcode must be
 * linked with all of libclc. If the source has a part (a file with only the functions that it
 * needed before), the part lacked a function and is discarded. */
void pm_libclc_parts_learn(pm_libclc_parts *parts, const char *path, const pm_libclc_names *names,
                           const void *bitcode, size_t bytes);

#endif
