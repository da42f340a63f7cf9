/* Reads JSON from an open file. See json_read.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/json_read.h"

#include <errno.h>
#include <unistd.h>

static size_t take(void *to, size_t size, void *user)
{
    const int *fd = user;
    ssize_t got;

    do
        got = read(*fd, to, size);
    while (got < 0 && errno == EINTR);
    return got < 0 ? (size_t)-1 : (size_t)got;
}

json_t *pm_json_read(int fd, json_error_t *error)
{
    return json_load_callback(take, &fd, JSON_REJECT_DUPLICATES, error);
}
