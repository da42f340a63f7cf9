/* Makes paths in the records of a capture absolute, without ".", ".." and double slashes. See
 * records.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "capture/records.h"

const char *pm_captured_path(pm_memory *memory, const char *place, const char *path)
{
    const char *at = *path == '/' ? path : pm_format(memory, "%s/%s", place, path);
    char *whole = pm_take(memory, strlen(at) + 2, 1);
    size_t used = 0;

    while (*at) {
        const size_t length = strcspn(at, "/");

        if (length == 2 && memcmp(at, "..", 2) == 0) {
            while (used > 0 && whole[--used] != '/')
                continue;
        } else if (length > 0 && !(length == 1 && *at == '.')) {
            whole[used++] = '/';
            memcpy(whole + used, at, length);
            used += length;
        }
        at += length + (at[length] == '/');
    }
    whole[used] = '\0';
    return whole;
}
