/* Digests of bytes. See digest.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

pm_digest pm_digest_of(const void *bytes, size_t count)
{
    const XXH128_hash_t hash = XXH3_128bits(count > 0 ? bytes : "", count);

    return (pm_digest){hash.high64, hash.low64};
}

bool pm_digest_equal(pm_digest a, pm_digest b)
{
    return a.high == b.high && a.low == b.low;
}

void pm_digest_print(pm_digest digest, char text[PM_DIGEST_TEXT])
{
    snprintf(text, PM_DIGEST_TEXT, "%016" PRIx64 "%016" PRIx64, digest.high, digest.low);
}
