/* Tells the user which kernels of a source were left out because they do not compile. See bare.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parser removes a kernel that does not compile from the source. Its name is then found in the
 * text alone.
 */
#include <string.h>

#include "base/session/session.h"
#include "base/strings.h"
#include "base/text.h"
#include "program/bare/bare.h"

/* Returns whether a declaration is a template. `at` is the position of its __global__ in `text`:
 * the word template must be between the end of the previous declaration and `at`. */
static bool is_template(const char *text, const char *at)
{
    static const char word[] = "template";

    while (at > text && !strchr(";}", at[-1])) {
        at--;
        if (strncmp(at, word, strlen(word)) == 0)
            return true;
    }
    return false;
}

/* Returns the name of the kernel that is declared after __global__, which is at `at`. It is the
 * word before the first parenthesis that does not belong to __launch_bounds__ or another attribute.
 * NULL: there is none. */
static const char *name_after(pm_memory *memory, const char *at)
{
    for (const char *open = strpbrk(at, "(;{"); open && *open == '('; open = strpbrk(at, "(;{")) {
        const char *begin = open;
        const char *name;

        while (begin > at && strchr(" \t\r\n", begin[-1]))
            begin--;
        open = begin;
        while (begin > at && pm_is_word(begin[-1]))
            begin--;
        name = pm_format(memory, "%.*s", (int)(open - begin), begin);
        if (strncmp(name, "__", 2) != 0)
            return *name ? name : NULL;
        at = strchr(open, ')');
        if (!at)
            return NULL;
    }
    return NULL;
}

/* Returns whether the source's description has a kernel with this name, in any namespace. */
static bool is_described(const pm_bare *b, const char *name)
{
    for (size_t k = 0; k < b->info->kernel_count; k++) {
        const char *kernel = b->info->kernels[k].name, *last = strrchr(kernel, ':');

        if (strcmp(last ? last + 1 : kernel, name) == 0)
            return true;
    }
    return false;
}

void pm_bare_tell_cut(pm_bare *b)
{
    static const char word[] = "__global__";
    const pm_error *why = b->source ? pm_source_left_out(b->source) : NULL;
    const char *text = b->workload->source;

    for (const char *at = why ? text : NULL; at && (at = strstr(at, word)) != NULL;) {
        const bool is_one = !is_template(text, at);
        const char *name = name_after(&b->memory, at += strlen(word));

        if (is_one && name && !is_described(b, name) &&
            strstr(why->text, pm_format(&b->memory, "%s:", b->path)))
            pm_session_leave_out(b->session, "kernel %s left out: %s", name, why->text);
    }
}
