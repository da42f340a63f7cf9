/* The source of a workload in new layouts. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels in different layouts come from different texts, each of them the whole source. In all but
 * the first, what stands at file scope gets another name while the text lasts, and so do, in each
 * text, the kernels that are taken from another one.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "session/session.h"
#include "transform/parts.h"
#include "worker/session_worker.h"

static bool is_word_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether the text has the word in it, in code or elsewhere. */
static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || !is_word_letter(at[-1])) && !is_word_letter(at[length]))
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

/* ---- names of conversions ----------------------------------------------------------------- */

static bool is_conversion(const pm_transform *t, const char *name)
{
    for (size_t c = 0; c < t->conversion_count; c++)
        if (strcmp(t->conversions[c].name, name) == 0)
            return true;
    return false;
}

char *pm_transform_kernel_name(const pm_transform *t, size_t structure, size_t plan)
{
    const pm_struct *s = &t->structs.items[structure];
    char *layout = pm_layout_text(&t->plans[structure].items[plan]->layout, s), *name;
    size_t size, length;

    if (!layout)
        return NULL;
    layout[strcspn(layout, ":")] = '\0';
    for (char *at = layout; *at; at++)
        if (!is_word_letter(*at))
            *at = '_';
    length = strlen(s->name) + strlen("_to_") + strlen(layout);
    size = length + 24;
    name = malloc(size);
    if (name) {
        snprintf(name, size, "%s_to_%s", s->name, layout);
        for (unsigned i = 2; any_has_word(t, name) || is_conversion(t, name); i++)
            snprintf(name, size, "%s_to_%s_%u", s->name, layout, i);
    }
    free(layout);
    return name;
}

/* ---- renaming ----------------------------------------------------------------------------- */

/* How names in the text of a group end where they get another one: _1, or with more lines where
 * something has that name already. */
static void choose_ending(const pm_transform *t, const char *const *names, size_t count, size_t g,
                          char *ending, size_t size)
{
    bool taken = true;

    for (int lines = 1; taken && (size_t)lines < size - 24; lines++) {
        snprintf(ending, size, "%.*s%zu", lines, "________________________________", g);
        taken = false;
        for (size_t i = 0; i < count && !taken; i++) {
            char name[1024];

            snprintf(name, sizeof name, "%s%s", names[i], ending);
            taken = any_has_word(t, name) || is_conversion(t, name);
        }
    }
}

static void write_renamed(FILE *out, const pm_transform *t, const char *const *names, size_t count,
                          size_t g)
{
    char ending[56];

    choose_ending(t, names, count, g, ending, sizeof ending);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "#define %s %s%s\n", names[i], names[i], ending);
    fprintf(out, "#line 1\n%s\n", t->groups[g].rewritten.text);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "#undef %s\n", names[i]);
}

/* The kernels that the group does not run, then `more` names. */
static pm_status write_group(FILE *out, const pm_transform *t, size_t g, char *const *more,
                             size_t more_count, pm_error *err)
{
    const char **names = calloc(t->info->kernel_count + more_count + 1, sizeof *names);
    size_t count = 0;

    if (!names)
        return pm_fail(err, PM_FAILED, "out of memory for the names of a source");
    for (size_t k = 0; k < t->info->kernel_count; k++)
        if (t->group_of[k] != g)
            names[count++] = t->groups[g].rewritten.kernels[k].name;
    for (size_t i = 0; i < more_count; i++)
        names[count++] = more[i];
    write_renamed(out, t, names, count, g);
    free(names);
    return PM_OK;
}

/* What stands at file scope in the text of a group, with what its layouts added. */
static pm_status write_other_group(FILE *out, const pm_transform *t, size_t g, pm_session *session,
                                   pm_error *err)
{
    pm_source *source =
        pm_source_open(t->groups[g].rewritten.text, t->path, t->original->build_options,
                       pm_session_worker(session), pm_session_log(session), err);
    const pm_source_info *info;
    pm_status status;

    if (!source)
        return err->status;
    info = pm_source_describe(source);
    status = write_group(out, t, g, info->names, info->name_count, err);
    pm_source_close(source);
    return status;
}

static pm_status write_text(FILE *out, const pm_transform *t, pm_session *session, pm_error *err)
{
    pm_status status;

    /* Before the source, so that its macros have no part in them. */
    for (size_t c = 0; c < t->conversion_count; c++) {
        const pm_conversion *conversion = &t->conversions[c];
        pm_plan *const *plans = t->plans[conversion->structure].items;

        pm_convert_text(out, conversion->name, plans[conversion->from], plans[conversion->to]);
    }
    status = write_group(out, t, 0, NULL, 0, err);
    for (size_t g = 1; status == PM_OK && g < t->group_count; g++)
        status = write_other_group(out, t, g, session, err);
    return status;
}

char *pm_transform_text(const pm_transform *t, pm_session *session, pm_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out;
    pm_status status;

    if (t->group_count == 1)
        text = strdup(t->groups[0].rewritten.text);
    else if ((out = open_memstream(&text, &size))) {
        status = write_text(out, t, session, err);
        if (fclose(out) != 0 || status != PM_OK) {
            free(text);
            text = NULL;
        }
        if (status != PM_OK)
            return NULL;
    }
    if (!text)
        pm_fail(err, PM_FAILED, "out of memory for the source in other layouts");
    return text;
}
