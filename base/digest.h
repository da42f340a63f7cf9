/* Digests: 128 bits that stand for the bytes they were computed from.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * XXH3 by Yann Collet (libxxhash). Two inputs that differ by accident have the same digest with
 * probability 2^-128; it is no protection against somebody who wants two to collide.
 */
#ifndef PM_BASE_DIGEST_H
#define PM_BASE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t high, low;
} pm_digest;

/* Length of a digest as hexadecimal text, with its NUL. */
enum { PM_DIGEST_TEXT = 33 };

/* The digest of `count` bytes; bytes may be NULL if count is 0. */
pm_digest pm_digest_of(const void *bytes, size_t count);

/* The digest of the contents of a regular file; false: it cannot be read. */
bool pm_file_digest(const char *path, pm_digest *digest);

bool pm_digest_equal(pm_digest a, pm_digest b);

/* Writes 32 hexadecimal digits and a NUL. */
void pm_digest_print(pm_digest digest, char text[PM_DIGEST_TEXT]);

#endif
