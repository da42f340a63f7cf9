/* Reads a comma-separated list in a workload file item by item. See workload_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "program/file/workload_file.h"

bool pm_file_item(const char **rest, char item[PM_FILE_ITEM])
{
    const char *at = *rest + strspn(*rest, " \t");
    size_t end = 0, length;
    int depth = 0;

    while (at[end] && (at[end] != ',' || depth > 0)) {
        depth += (at[end] == '(' || at[end] == '{') - (at[end] == ')' || at[end] == '}');
        end++;
    }
    *rest = at[end] ? at + end + 1 : NULL;
    length = end;
    while (length > 0 && (at[length - 1] == ' ' || at[length - 1] == '\t'))
        length--;
    if (length == 0 || length >= PM_FILE_ITEM)
        return false;
    memcpy(item, at, length);
    item[length] = '\0';
    return true;
}
