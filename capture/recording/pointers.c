/* Finds words in recorded memory that may be addresses. See recording.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "capture/recording/recording.h"

void pm_rec_scan(const void *bytes, size_t size, uint64_t low, uint64_t high, pm_rec_see see,
                 void *user)
{
    const unsigned char *at = bytes;
    uint64_t last = 0;

    for (size_t i = 0; size - i >= sizeof last && i < size; i += sizeof last) {
        uint64_t word;

        memcpy(&word, at + i, sizeof word);
        if (word == last || word < low || word >= high)
            continue;
        last = word;
        see(user, word);
    }
}
