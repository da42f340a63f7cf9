/* Errors and limits of evaluating Python list expressions. See python_reader.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "answer/tune/python_reader.h"

#include "answer/tune/python_words.h"

enum { MOST_DEPTH = 32, MOST_STEPS = 1000000 };

_Noreturn void pm_python_refuse_with(const pm_python_reader *r, const char *why)
{
    pm_leave(r->memory, PM_BAD_INPUT,
             "%s \"%.60s\": %s; a list of whole numbers is wanted, such as [16, 32] or "
             "[2**i for i in range(4, 6)]",
             r->what, r->python, why);
}

void pm_python_expect(pm_python_reader *r, const char *sign)
{
    if (!pm_python_take(&r->at, sign, ""))
        pm_python_refuse(r, "%s is missing before \"%.40s\"", sign, r->at);
}

void pm_python_count_step(pm_python_reader *r)
{
    if (++r->steps > MOST_STEPS)
        pm_python_refuse(r, "more than %d steps", MOST_STEPS);
}

void pm_python_deeper(pm_python_reader *r)
{
    if (++r->depth > MOST_DEPTH)
        pm_python_refuse(r, "more than %d brackets or signs inside of each other", MOST_DEPTH);
}
