/* Writes for the user why an array of a kernel is not copied to local memory. See reason.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/tile/reason.h"

#include <stdarg.h>
#include <stdio.h>

bool pm_stage_why(pm_text *why, const pm_node *node, const char *format, ...)
{
    char text[400];
    va_list args;

    if (why->length > 0)
        return false;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    pm_text_add(why, "%s", pm_ast_reason(why->memory, node, "%s", text));
    return false;
}
