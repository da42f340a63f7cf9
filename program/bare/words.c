/* Guesses from names and types what the parameters of kernels mean, for example which is the
 * problem size. See bare.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "program/bare/bare.h"

static bool is_listed(const char *const *list, const char *name)
{
    for (; *list; list++)
        if (strcasecmp(*list, name) == 0)
            return true;
    return false;
}

static bool has_word(const char *const *list, const char *name)
{
    for (; *list; list++)
        if (strcasestr(name, *list))
            return true;
    return false;
}

/* Returns true if the name of a parameter suggests a stride, a number of iterations or another
 * small number, and therefore not the problem size. */
static bool looks_small(const char *name)
{
    static const char *const words[] = {"inc",  "stride", "step",   "offset", "shift", "seed",
                                        "iter", "pass",   "radius", "stage",  "level", NULL};

    return has_word(words, name);
}

static bool looks_like_size(const char *name)
{
    static const char *const whole[] = {"n",   "m",    "k",    "w",         "h",  "d",   "l",
                                        "nx",  "ny",   "nz",   "dx",        "dy", "lda", "ldb",
                                        "ldc", "rows", "cols", "row_count", NULL};
    static const char *const words[] = {"num",   "size",  "len",    "count", "width", "height",
                                        "depth", "pitch", "elem",   "total", "dim",   "points",
                                        "rows",  "cols",  "column", NULL};

    return is_listed(whole, name) || has_word(words, name) ||
           ((name[0] == 'n' || name[0] == 'N') &&
            (isupper((unsigned char)name[1]) || name[1] == '_'));
}

bool pm_bare_looks_vertical(const char *name)
{
    static const char *const whole[] = {"h", "ny", "m", "y", NULL};
    static const char *const words[] = {"height", "rows", "row", "vert", "dimy", "sizey", NULL};

    return is_listed(whole, name) || has_word(words, name);
}

bool pm_bare_is_integer(const char *type)
{
    static const char *const types[] = {"int",   "uint",   "long",   "ulong",
                                        "short", "ushort", "size_t", NULL};

    return is_listed(types, type);
}

bool pm_bare_is_extent(const pm_source_param *param)
{
    return param->takes == PM_TAKES_VALUE && pm_bare_is_integer(param->type) &&
           !looks_small(param->name) && (param->is_extent || looks_like_size(param->name));
}
