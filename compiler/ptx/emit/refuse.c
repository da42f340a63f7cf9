/* Ends the translation of PTX to LLVM IR with an error if it meets an instruction that it does not
 * support. See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"
#include "compiler/ptx/emit/emitter.h"

_Noreturn void pm_ptx_refuse(const pm_ptx_emitter *e, const pm_ptx_instruction *i,
                             const char *format, ...)
{
    char why[300];
    pm_text name = {.memory = e->memory};
    va_list list;

    va_start(list, format);
    vsnprintf(why, sizeof why, format, list);
    va_end(list);
    pm_text_add(&name, "%.40s", i->opcode);
    for (size_t k = 0; k < i->modifier_count && k < 8; k++)
        pm_text_add(&name, ".%.40s", i->modifiers[k]);
    for (size_t k = 0; k < i->type_count && k < PM_PTX_MOST_TYPES; k++)
        pm_text_add(&name, ".%s", i->types[k]->name);
    pm_leave(e->memory, PM_BAD_INPUT, "%s:%u: %s: %s", e->tree->path, i->line, pm_text_get(&name),
             why);
}
