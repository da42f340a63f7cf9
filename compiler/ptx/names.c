/* Names in PTX. See names.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/ptx/names.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strings.h"
#include "base/text.h"

/* Returns the slot of the hash table that has a name, or else the free slot for it. The table is
 * never full. A slot keeps its name even if the name has no meaning any more, because the search
 * for other names must continue past it. */
static pm_ptx_binding **find_slot(pm_ptx_binding **slots, size_t capacity, const char *name)
{
    size_t i = pm_hash_text(name) & (capacity - 1);

    while (slots[i] && strcmp(slots[i]->name, name) != 0)
        i = (i + 1) & (capacity - 1);
    return &slots[i];
}

static void grow(pm_memory *memory, pm_ptx_names *names)
{
    const size_t capacity = names->capacity ? 2 * names->capacity : 64;
    pm_ptx_binding **slots = pm_take(memory, capacity, sizeof(pm_ptx_binding *));

    for (size_t i = 0; i < names->capacity; i++)
        if (names->slots[i])
            *find_slot(slots, capacity, names->slots[i]->name) = names->slots[i];
    names->slots = slots;
    names->capacity = capacity;
}

void *pm_ptx_names_find(const pm_ptx_names *names, const char *name)
{
    const pm_ptx_binding *found =
        names->capacity ? *find_slot(names->slots, names->capacity, name) : NULL;

    return found ? found->item : NULL;
}

void pm_ptx_names_add(pm_memory *memory, pm_ptx_names *names, const char *name, void *item)
{
    pm_ptx_binding *binding = pm_take(memory, 1, sizeof *binding), **slot;

    if (2 * names->used >= names->capacity)
        grow(memory, names);
    slot = find_slot(names->slots, names->capacity, name);
    names->used += !*slot;
    *binding = (pm_ptx_binding){.name = name, .item = item, .outer = *slot, .next = names->latest};
    *slot = names->latest = binding;
}

void pm_ptx_names_leave(pm_ptx_names *names, const pm_ptx_binding *mark)
{
    while (names->latest != mark) {
        pm_ptx_binding *last = names->latest;
        pm_ptx_binding **slot = find_slot(names->slots, names->capacity, last->name);

        names->latest = last->next;
        if (last->outer)
            *slot = last->outer;
        else
            last->item = NULL;
    }
}

/* ---- mangled names --------------------------------------------------------------------------- */

/* Appends the identifier at `at`, which has the form <length><text> in a mangled name. Returns the
 * position after it; NULL: no identifier is there. */
static const char *add_identifier(const char *at, pm_text *plain)
{
    char *rest;
    const unsigned long length = isdigit((unsigned char)*at) ? strtoul(at, &rest, 10) : 0;

    if (length == 0 || length > strlen(rest))
        return NULL;
    if (strncmp(rest, "_GLOBAL__N", 10) != 0) /* the compiler's name of an unnamed namespace */
        pm_text_add(plain, "%s%.*s", plain->length ? "::" : "", (int)length, rest);
    return rest + length;
}

char *pm_ptx_plain_name(pm_memory *memory, const char *name)
{
    const bool nested = strncmp(name, "_ZN", 3) == 0;
    pm_text plain = {.memory = memory};
    const char *at = strncmp(name, "_Z", 2) == 0 ? name + 2 + strspn(name + 2, "NL") : NULL;

    while (at && (plain.length == 0 || nested)) {
        at = add_identifier(at, &plain);
        at = at && *at == 'L' ? at + 1 : at;
    }
    return plain.length ? pm_copy(memory, pm_text_get(&plain)) : pm_copy(memory, name);
}
