/* Writes one source text for a workload whose kernels use different memory layouts of the same
 * arrays. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each group of kernels has its own rewritten text of the whole source, and all texts are
 * concatenated. Macros rename names at file scope in every text but the first. They also rename, in
 * each text, the kernels that belong to another group.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/session/session.h"
#include "base/strings.h"
#include "transform/rewrite/parts.h"

/* Returns true if the text contains the word, in code, comments or strings. */
static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || !pm_is_word(at[-1])) && !pm_is_word(at[length]))
            return true;
    return false;
}

static bool any_has_word(const pm_transform *t, const char *word)
{
    for (size_t g = 0; g < t->group_count; g++)
        if (has_word(t->groups[g].rewritten.text, word))
            return true;
    return strstr(t->original->build_options, word) != NULL;
}

/* ---- names of conversion kernels ---------------------------------------------------------- */

/* Returns true if a name is free for a new kernel: no rewritten source contains it, and no
 * conversion kernel has it. */
static bool is_free(const pm_transform *t, const char *name)
{
    for (size_t c = 0; c < t->conversion_count; c++)
        if (strcmp(t->conversions[c].name, name) == 0)
            return false;
    return !any_has_word(t, name);
}

char *pm_transform_kernel_name(pm_transform *t, size_t structure, size_t plan)
{
    const pm_struct *s = &t->structs.items[structure];
    pm_text layout = {.memory = &t->memory};
    char *kind, *wished, *name;

    pm_layout_text(&layout, &t->plans[structure].items[plan]->layout, s);
    kind = pm_text_take(&layout);
    kind[strcspn(kind, ":")] = '\0';
    for (char *at = kind; *at; at++)
        if (!pm_is_word(*at))
            *at = '_';
    name = wished = pm_format(&t->memory, "%s_to_%s", s->name, kind);
    for (unsigned i = 2; !is_free(t, name); i++)
        name = pm_format(&t->memory, "%s_%u", wished, i);
    return name;
}

/* ---- renaming of declarations ------------------------------------------------------------- */

/* Returns the suffix that macros append to some names in the source of group g. It is "_1" for
 * group 1, with more underscores if the source already has a name with it. */
static const char *choose_ending(pm_transform *t, const char *const *names, size_t count, size_t g)
{
    const char *ending = "";
    bool taken = true;

    for (int lines = 1; taken && lines < 32; lines++) {
        ending = pm_format(&t->memory, "%.*s%zu", lines, "________________________________", g);
        taken = false;
        for (size_t i = 0; i < count && !taken; i++)
            taken = !is_free(t, pm_format(&t->memory, "%s%s", names[i], ending));
    }
    return ending;
}

/* Appends the rewritten source of group g, enclosed in #define and #undef lines. These macros
 * rename the kernels that belong to other groups, and the names in `more`, so that the concatenated
 * sources of all groups do not define a name twice. */
static void write_group(pm_text *out, pm_transform *t, size_t g, char *const *more,
                        size_t more_count)
{
    const char **names = NULL, *ending;
    size_t count = 0;

    for (size_t k = 0; k < t->info->kernel_count; k++)
        if (t->group_of[k] != g)
            *pm_add(&t->memory, names, count) = t->groups[g].rewritten.kernels[k].name;
    for (size_t i = 0; i < more_count; i++)
        *pm_add(&t->memory, names, count) = more[i];
    ending = choose_ending(t, names, count, g);
    for (size_t i = 0; i < count; i++)
        pm_text_add(out, "#define %s %s%s\n", names[i], names[i], ending);
    pm_text_add(out, "#line 1\n%s\n", t->groups[g].rewritten.text);
    for (size_t i = 0; i < count; i++)
        pm_text_add(out, "#undef %s\n", names[i]);
}

/* Appends the source of a group of kernels other than the first. Renames its declarations at file
 * scope, including declarations that its layouts added, because the source of the first group
 * declares the same names. */
static void write_other_group(pm_text *out, pm_transform *t, size_t g)
{
    const pm_source_info *info;

    t->other =
        pm_source_open(t->groups[g].rewritten.text, t->path, t->original->build_options,
                       pm_session_worker(t->session), pm_session_log(t->session), t->memory.err);
    if (!t->other)
        pm_give_up(&t->memory, t->memory.err->status);
    info = pm_source_describe(t->other);
    write_group(out, t, g, info->names, info->name_count);
    pm_source_close(t->other);
    t->other = NULL;
}

char *pm_transform_text(pm_transform *t)
{
    pm_text out = {.memory = &t->memory};
    char *text;

    /* Conversion kernels come before the source, so that macros of the source do not affect
     * them. */
    for (size_t c = 0; c < t->conversion_count; c++) {
        const pm_conversion *conversion = &t->conversions[c];
        pm_plan *const *plans = t->plans[conversion->structure].items;

        pm_convert_text(&out, t->words, conversion->name, plans[conversion->from],
                        plans[conversion->to]);
    }
    if (t->group_count > 1)
        write_group(&out, t, 0, NULL, 0);
    for (size_t g = 1; g < t->group_count; g++)
        write_other_group(&out, t, g);
    text = strdup(t->group_count > 1 ? pm_text_get(&out) : t->groups[0].rewritten.text);
    if (!text)
        pm_leave(&t->memory, PM_FAILED, "out of memory for the source in other layouts");
    return text;
}
