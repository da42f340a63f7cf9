/* Structs for tests of layouts: structs written by hand, and random structs with the memory layout
 * that C gives them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_LAYOUT_FIXTURE_H
#define PM_TESTS_LAYOUT_FIXTURE_H

#include "layout_try.h"
#include "unit.h"

/* ---- a struct field by field -------------------------------------------------------------- */

/* Adds a field by its access, such as n[].x; extents (may be NULL) are pairs of count and stride,
 * ended by a count of 0. */
static inline void add_field(pm_struct *s, const char *access, const char *type, size_t bytes,
                             size_t offset, const size_t *extents)
{
    char *path = pm_copy(&trials, access), *to = path;
    pm_field *field = pm_add(&trials, s->fields, s->field_count);

    for (const char *at = access; *at; at++)
        if (!strchr("[]", *at))
            *to++ = *at;
    *to = '\0';
    *field = (pm_field){.path = path,
                        .access = strchr(access, '[') ? pm_copy(&trials, access) : NULL,
                        .name = pm_copy(&trials, path),
                        .type = pm_copy(&trials, type),
                        .bytes = bytes,
                        .align = bytes,
                        .offset = offset};
    for (char *at = field->name; *at; at++)
        if (*at == '.')
            *at = '_';
    for (; extents && extents[0]; extents += 2)
        field->extents[field->extent_count++] = (pm_extent){extents[0], extents[1]};
}

/* The particle of Takada and Ohno 2016, figure 1: 11 floats, 44 bytes. */
static inline pm_struct particle(void)
{
    static const char *const paths[] = {"pos_x",   "pos_y",   "pos_z",   "vel_x",
                                        "vel_y",   "vel_z",   "accel_x", "accel_y",
                                        "accel_z", "density", "pressure"};
    pm_struct s = {.name = "Particle", .bytes = 44, .align = 4};

    for (size_t f = 0; f < 11; f++)
        add_field(&s, paths[f], "float", 4, 4 * f, NULL);
    return s;
}

/* ---- random structs ----------------------------------------------------------------------- */

static inline size_t random_below(uint64_t *state, size_t most)
{
    return (size_t)(random_bits(state) >> 33) % most;
}

typedef struct {
    const char *name;
    size_t bytes;
} type_row;

static const type_row type_rows[] = {
    {"char", 1},   {"uchar", 1},   {"short", 2},  {"half", 2},      {"float", 4},
    {"uint", 4},   {"long", 8},    {"double", 8}, {"float3", 16},   {"uint2", 8},
    {"uchar4", 4}, {"float4", 16}, {"int8", 32},  {"double16", 128}};

/* A member of a random struct: a scalar, a vector or a struct, or an array of these if it has
 * counts. */
typedef struct node {
    const type_row *type; /* NULL: a struct */
    size_t dimensions, counts[2];
    size_t bytes, align; /* of one */
    size_t child_count;
    struct node *children[4];
} node;

static inline size_t align_up(size_t bytes, size_t align)
{
    return (bytes + align - 1) / align * align;
}

static inline size_t member_bytes(const node *m)
{
    size_t bytes = m->bytes;

    for (size_t d = 0; d < m->dimensions; d++)
        bytes *= m->counts[d];
    return bytes;
}

static inline node *random_member(uint64_t *state, int depth)
{
    node *m = pm_take(&trials, 1, sizeof *m);
    const bool is_struct = depth == 0 || (depth < 3 && random_below(state, 3) == 0);

    if (depth > 0 && random_below(state, 3) == 0)
        m->dimensions = 1 + random_below(state, 2);
    for (size_t d = 0; d < m->dimensions; d++)
        m->counts[d] = 1 + random_below(state, 4);
    if (!is_struct) {
        m->type = &type_rows[random_below(state, sizeof type_rows / sizeof *type_rows)];
        m->bytes = m->align = m->type->bytes;
        return m;
    }
    m->align = 1;
    m->child_count = 1 + random_below(state, 4);
    for (size_t c = 0; c < m->child_count; c++) {
        m->children[c] = random_member(state, depth + 1);
        m->bytes = align_up(m->bytes, m->children[c]->align) + member_bytes(m->children[c]);
        if (m->children[c]->align > m->align)
            m->align = m->children[c]->align;
    }
    m->bytes = align_up(m->bytes, m->align);
    return m;
}

/* Adds the scalars and vectors of a member to s. extents: pairs of count and stride of the arrays
 * around it. */
static inline void take_apart(uint64_t *state, node *m, pm_struct *s, const char *access,
                              size_t offset, const size_t *extents, size_t extent_count)
{
    size_t all[20] = {0}, stride = m->bytes, end = 0;

    for (size_t e = 0; e < 2 * extent_count; e++)
        all[e] = extents[e];
    for (size_t d = m->dimensions; d-- > 0;) {
        all[2 * (extent_count + d)] = m->counts[d];
        all[2 * (extent_count + d) + 1] = stride;
        stride *= m->counts[d];
    }
    if (m->type) {
        add_field(s, access, m->type->name, m->bytes, offset, all);
        s->fields[s->field_count - 1].whole = all[0] && random_below(state, 3) == 0;
    }
    for (size_t c = 0; c < m->child_count; c++) {
        char name[80];

        snprintf(name, sizeof name, "%.50s%sm%zu%.*s", access, *access ? "." : "", c,
                 (int)(2 * m->children[c]->dimensions), "[][]");
        end = align_up(end, m->children[c]->align);
        const size_t bytes = member_bytes(m->children[c]);

        take_apart(state, m->children[c], s, name, offset + end, all, extent_count + m->dimensions);
        end += bytes;
    }
}

/* Makes a random struct with this name. */
static inline pm_struct random_struct(uint64_t *state, const char *name)
{
    node *whole = random_member(state, 0);
    pm_struct s = {.name = pm_copy(&trials, name), .bytes = whole->bytes, .align = whole->align};

    take_apart(state, whole, &s, "", 0, NULL, 0);
    return s;
}

static inline pm_plan *plan_of(const pm_struct *s, const char *text)
{
    pm_layout layout;
    pm_plan *plan;

    if (try_parse(text, s, &layout, told()) != PM_OK)
        fail_msg("%s: %s", text, last_error.text);
    plan = try_plan(s, &layout, told());
    if (!plan)
        fail_msg("%s: %s", text, last_error.text);
    return plan;
}

/* Writes a random layout that fits the struct to `text`. kind: a number from 0 that chooses the
 * kind of layout. */
static inline void random_layout(uint64_t *state, const pm_struct *s, size_t kind, char *text,
                                 size_t size)
{
    static const char *const clusters[] = {"cluster", "cluster-align", "cluster-align8"};
    static const char *const plain[] = {"aos", "aos-align", "aos-align8", "soa"};
    size_t order[256], used;

    if (kind % 8 < 4) {
        snprintf(text, size, "%s", plain[kind % 8]);
        return;
    }
    if (kind % 8 == 4) {
        snprintf(text, size, "asta:%u", 2u << random_below(state, 8));
        return;
    }
    for (size_t f = 0; f < s->field_count; f++) { /* shuffled */
        size_t at = random_below(state, f + 1);

        order[f] = order[at];
        order[at] = f;
    }
    used = (size_t)snprintf(text, size, "%s:", clusters[kind % 8 - 5]);
    for (size_t f = 0; f < s->field_count; f++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 f == 0                   ? ""
                                 : random_below(state, 3) ? "+"
                                                          : "/",
                                 s->fields[order[f]].path);
}

#endif
