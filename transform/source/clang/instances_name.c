/* Chooses the names of the functions that replace template instances. See instances.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <string.h>

#include "transform/source/clang/instances.h"
#include "transform/source/clang/names.h"

/* ---- templates that are left in the text ---------------------------------------------------- */

static bool is_in_use(const pm_instancing *in, size_t at)
{
    for (size_t i = 0; i < in->use_count; i++)
        if (at >= in->uses[i].place.begin && at < in->uses[i].place.end)
            return true;
    return false;
}

/* If a template that is replaced by functions for its instances contains the offset, returns the
 * offset of the template's end. Otherwise returns 0. */
static size_t end_of_replaced(const pm_instancing *in, size_t at)
{
    for (const pm_node *node = in->ast.root->first; node; node = node->next) {
        const pm_node *pattern = pm_instances_pattern(in, node);

        if (pattern && !in->stays[pattern->number] && at >= node->begin && at < node->end)
            return node->end;
    }
    return 0;
}

/* Returns the template whose name is the token at `begin`, if the template has instances. Returns
 * NULL if there is none. */
static const pm_node *named_at(const pm_instancing *in, size_t begin, size_t end)
{
    for (size_t i = 0; i < in->count; i++)
        if (pm_token_is(in->request->text, begin, end, in->items[i]->pattern->name))
            return in->items[i]->pattern;
    return NULL;
}

/* Searches for a template that must be left in the text (in->stays), because its name occurs in
 * text that is not replaced, such as host code. Marks the first one that is not marked yet. Returns
 * false if there is none. */
static bool keep_named(pm_instancing *in)
{
    size_t begin, end = 0, behind;

    while (pm_token(in->request->text, end, in->length, &begin, &end)) {
        const pm_node *pattern = named_at(in, begin, end);

        if (!pattern || in->stays[pattern->number] || is_in_use(in, begin))
            continue;
        behind = end_of_replaced(in, begin);
        if (behind == 0) {
            in->stays[pattern->number] = true;
            return true;
        }
        end = behind;
    }
    return false;
}

/* ---- names ---------------------------------------------------------------------------------- */

static size_t count_of(const pm_instancing *in, const pm_node *pattern)
{
    size_t count = 0;

    for (size_t i = 0; i < in->count; i++)
        count += in->items[i]->pattern == pattern;
    return count;
}

static void add_word(pm_text *name, const char *text)
{
    bool apart = true;

    for (; *text; text++) {
        if (isalnum((unsigned char)*text)) {
            pm_text_add(name, apart ? "_%c" : "%c", *text);
            apart = false;
        } else {
            apart = true;
            if (*text == '-')
                pm_text_add(name, "_minus");
            else if (*text == '*')
                pm_text_add(name, "_pointer");
        }
    }
}

/* Returns a new name for an instance from the template's name and arguments, such as
 * reduce_float_256. */
static const char *name_of(pm_instancing *in, pm_names *names, const pm_instance *instance)
{
    pm_text name = {.memory = &in->memory};
    const char *made;

    pm_text_add(&name, "%s", instance->pattern->name);
    for (size_t i = 0; i < instance->argument_count; i++)
        add_word(&name, instance->arguments[i].text);
    made = pm_copy(&in->memory, pm_text_get(&name));
    for (size_t i = 2; pm_names_has(names, made); i++)
        made = pm_format(&in->memory, "%s_%zu", pm_text_get(&name), i);
    pm_names_add(names, made);
    return made;
}

void pm_instances_name(pm_instancing *in)
{
    pm_names names = {.memory = &in->memory};

    in->stays = pm_take(&in->memory, in->ast.count, sizeof *in->stays);
    while (keep_named(in)) {
    }
    pm_names_read(&names, in->request->text);
    for (size_t i = 0; i < in->count; i++) {
        pm_instance *instance = in->items[i];
        const pm_node *pattern = instance->pattern;
        const bool alone = !in->stays[pattern->number] && count_of(in, pattern) == 1;

        /* An operator function keeps its name, because expressions call it by the operator. */
        instance->name = alone || strncmp(pattern->name, "operator", 8) == 0
                             ? pattern->name
                             : name_of(in, &names, instance);
    }
}
