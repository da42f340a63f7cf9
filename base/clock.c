/* Reads the monotonic clock. See clock.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/clock.h"

#include <time.h>

double pm_now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
