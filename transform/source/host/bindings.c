/* The interpreter of host code has a table of variables. Records the memory of each variable there,
 * and gives variables the values that the user has set (--set). See state.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/source/host/state.h"

enum { MOST_WANTED = 64, MOST_OBJECTS = 300000 };

bool pm_host_step(pm_host_state *state)
{
    if (state->exhausted || state->ended)
        return false;
    if (++state->steps >= state->limit)
        state->exhausted = true;
    return !state->exhausted;
}

/* ---- values set by the user ---------------------------------------------------------------- */

void pm_host_want(pm_host_state *state, pm_host_value value, pm_host_purpose purpose)
{
    if (value.kind != PM_HOST_UNKNOWN || !value.origin)
        return;
    for (size_t i = 0; i < state->wanted_count; i++)
        if (strcmp(state->wanted[i].name, value.origin) == 0) {
            if (purpose > state->wanted[i].purpose)
                state->wanted[i].purpose = purpose;
            return;
        }
    if (state->wanted_count < MOST_WANTED)
        *pm_add(state->memory, state->wanted, state->wanted_count) =
            (pm_host_wanted){value.origin, purpose, value.line};
}

long long pm_host_default_of(const pm_host_state *state, const char *name)
{
    for (size_t i = 0; i < state->default_count; i++)
        if (strcmp(state->defaults[i].name, name) == 0)
            return state->defaults[i].value;
    return 0;
}

void pm_host_note_default(pm_host_state *state, const pm_host_node *variable, pm_host_value before)
{
    if (before.kind == PM_HOST_INTEGER && before.integer > 0 && !before.assumed &&
        *variable->name && state->default_count < MOST_WANTED &&
        pm_host_default_of(state, variable->name) == 0)
        *pm_add(state->memory, state->defaults, state->default_count) =
            (pm_host_default){variable->name, before.integer};
}

pm_host_setting *pm_host_find_setting(pm_host_state *state, const char *name)
{
    for (size_t i = 0; i < state->setting_count; i++)
        if (*name && strcmp(state->settings[i].name, name) == 0)
            return &state->settings[i];
    return NULL;
}

static pm_host_value settle(pm_host_state *state, const pm_host_node *variable, CXType type,
                            pm_host_value value, bool first)
{
    const bool number = pm_host_is_integer(type) || pm_host_is_real(type);
    pm_host_setting *setting = number ? pm_host_find_setting(state, variable->name) : NULL;

    if (setting && (value.kind == PM_HOST_UNKNOWN || (first && !setting->assumed))) {
        if (!setting->used)
            setting->line = variable->line;
        setting->used = true;
        value = setting->value;
        value.assumed = setting->assumed;
        return pm_host_convert(value, type);
    }
    if (value.kind == PM_HOST_UNKNOWN && !value.origin && *variable->name &&
        pm_host_is_integer(type)) {
        value.origin = variable->name;
        value.line = variable->line;
    }
    return pm_host_convert(value, type);
}

pm_host_value pm_host_settle(pm_host_state *state, const pm_host_node *variable, CXType type,
                             pm_host_value value)
{
    return settle(state, variable, type, value, false);
}

pm_host_value pm_host_settle_first(pm_host_state *state, const pm_host_node *variable, CXType type,
                                   pm_host_value value)
{
    return settle(state, variable, type, value, true);
}

/* ---- variables ----------------------------------------------------------------------------- */

void pm_host_bind(pm_host_state *state, pm_host_node *declaration, pm_host_place place)
{
    for (size_t i = state->binding_count; i-- > state->frame;)
        if (state->bindings[i].declaration == declaration) {
            state->bindings[i].place = place;
            return;
        }
    *pm_add(state->memory, state->bindings, state->binding_count) =
        (pm_host_binding){declaration, place};
}

pm_host_place pm_host_bind_new(pm_host_state *state, pm_host_node *declaration)
{
    pm_host_place place;

    /* A variable declared in a loop's body is a new variable in each iteration. The object of the
     * previous iteration is reused for it. */
    for (size_t i = state->binding_count; i-- > state->frame;)
        if (state->bindings[i].declaration == declaration &&
            state->heap.objects[state->bindings[i].place.object].declaration == declaration) {
            pm_host_clear(&state->heap, state->bindings[i].place.object);
            state->heap.objects[state->bindings[i].place.object].zeros = false;
            return state->bindings[i].place;
        }
    place = (pm_host_place){.object = pm_host_add_object(&state->heap, PM_HOST_VARIABLE,
                                                         declaration->name, declaration->type,
                                                         declaration->line)};
    state->heap.objects[place.object].declaration = declaration;
    if (state->heap.count > MOST_OBJECTS)
        state->exhausted = true;
    pm_host_bind(state, declaration, place);
    return place;
}

void pm_host_bind_global(pm_host_state *state, pm_host_node *declaration, pm_host_place place)
{
    *pm_add(state->memory, state->globals, state->global_count) =
        (pm_host_binding){declaration, place};
}

bool pm_host_is_of_root(const pm_host_state *state, size_t object)
{
    const size_t count = state->depth <= 1 ? state->binding_count : state->root_count;

    for (size_t i = 0; i < count; i++)
        if (state->bindings[i].place.object == object)
            return true;
    return false;
}

/* Finds the memory of a variable. Searches the frames of the current function and of its callers,
 * because a lambda can use variables of the functions around it, then the variables at file
 * scope. */
bool pm_host_find_binding(const pm_host_state *state, const pm_host_node *declaration,
                          pm_host_place *place)
{
    for (size_t i = state->binding_count; i-- > 0;)
        if (state->bindings[i].declaration == declaration) {
            *place = state->bindings[i].place;
            return true;
        }
    for (size_t i = 0; i < state->global_count; i++)
        if (state->globals[i].declaration == declaration) {
            *place = state->globals[i].place;
            return true;
        }
    return false;
}

bool pm_host_option_variable(const pm_host_state *state, const pm_host_node *variable,
                             pm_host_value *value)
{
    if (!state->has_arguments || variable->kind != CXCursor_VarDecl ||
        clang_getCursorLinkage(variable->cursor) == CXLinkage_NoLinkage)
        return false;
    if (strcmp(variable->name, "optarg") == 0) {
        *value = state->option_value;
        return true;
    }
    if (strcmp(variable->name, "optind") != 0)
        return false;
    *value = pm_host_integer((long long)state->option_index);
    value->assumed = true;
    return true;
}
