/* Digests: hash values of 128 bits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * XXH3 by Yann Collet (libxxhash). Two different inputs have the same digest with probability
 * 2^-128. A digest gives no protection against inputs that were constructed to collide.
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

/* Returns the digest of `count` bytes. bytes may be NULL if count is 0. */
pm_digest pm_digest_of(const void *bytes, size_t count);

/* Computes the digest of a regular file's contents. Returns false if the file cannot be read. */
bool pm_file_digest(const char *path, pm_digest *digest);

bool pm_digest_equal(pm_digest a, pm_digest b);

/* Writes a digest as text: 32 hexadecimal digits and a NUL. */
void pm_digest_print(pm_digest digest, char text[PM_DIGEST_TEXT]);

#endif
