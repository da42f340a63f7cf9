/* Finds words in recorded memory that may be addresses. See recording.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "capture/recording/recording.h"

/* Addresses of one GPU differ only in their lower bits, because a process has less than 2^40 bytes
 * of GPU memory. Few other values have the same upper bits. */
enum { LIKE_BITS = 40 };

void pm_rec_scan(const void *bytes, size_t size, uint64_t like, pm_rec_see see, void *user)
{
    const unsigned char *at = bytes;
    uint64_t last = 0;

    for (size_t i = 0; size - i >= sizeof last && i < size; i += sizeof last) {
        uint64_t word;

        memcpy(&word, at + i, sizeof word);
        if (word == last || (word ^ like) >> LIKE_BITS != 0)
            continue;
        last = word;
        see(user, word);
    }
}
