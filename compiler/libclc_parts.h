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

/* cutter: makes a part; it must exist as long as the parts. Returns NULL if memory runs out. */
pm_libclc_parts *pm_libclc_parts_create(pm_libclc_cutter cutter);
void pm_libclc_parts_free(pm_libclc_parts *parts);

/* Opens the part of libclc for the source `path` as a file without a name. libclc: path of libclc's
 * bitcode. Returns the file's descriptor, which the caller closes. Returns -1 if the source has no
 * part, because it was compiled too few times or no part can be made. */
int pm_libclc_parts_open(pm_libclc_parts *parts, const char *path, const char *libclc);

/* Returns whether a part has all functions of libclc that bitcode mentions. The bitcode is then the
 * same as if it were linked with all of libclc. names: all names of libclc's functions. */
bool pm_libclc_parts_suffice(int part, const pm_libclc_names *names, const void *bitcode,
                             size_t bytes);

/* Records the functions of libclc that the bitcode of the source `path` mentions. The bitcode is
 * linked with all of libclc. If the source has a part, it did not suffice and is discarded. */
void pm_libclc_parts_learn(pm_libclc_parts *parts, const char *path, const pm_libclc_names *names,
                           const void *bitcode, size_t bytes);

#endif
