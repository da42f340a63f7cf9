/* Tests the search for memory layouts: which layouts it finds for the particle struct of Takada and
 * Ohno (2016), and that it ends for structs of many fields.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/layout/search.h"
#include "unit.h"

enum { MOST_FIELDS = 64, MOST_USES = 256 };

typedef struct {
    pm_struct structure;
    pm_field fields[MOST_FIELDS];
    char names[MOST_FIELDS][16];
    pm_field_use uses[MOST_USES];
    size_t use_count;
} fixture;

static void add_field(fixture *f, const char *name)
{
    size_t i = f->structure.field_count++;

    snprintf(f->names[i], sizeof f->names[i], "%s", name);
    f->fields[i] = (pm_field){.path = f->names[i],
                              .name = f->names[i],
                              .type = "float",
                              .bytes = 4,
                              .align = 4,
                              .offset = 4 * i};
    f->structure.fields = f->fields;
    f->structure.bytes = 4 * (i + 1);
    f->structure.align = 4;
}

/* Adds accesses to fields first to last. access: r, w or both. */
static void add_uses(fixture *f, size_t kernel, unsigned loop, size_t first, size_t last,
                     const char *access)
{
    for (size_t i = first; i <= last; i++)
        f->uses[f->use_count++] = (pm_field_use){.kernel = kernel,
                                                 .loop = loop,
                                                 .field = i,
                                                 .read = strchr(access, 'r') != NULL,
                                                 .written = strchr(access, 'w') != NULL,
                                                 .executions = loop ? 3000 : 100,
                                                 .elements = loop ? 12 : 32,
                                                 .pattern = loop ? PM_SPREAD : PM_CONSECUTIVE};
}

/* Table 1 of the paper: kernels density, force and position; loop 1 goes over the neighbours. */
static void make_particle(fixture *f)
{
    static const char *const names[] = {"pos_x",   "pos_y",   "pos_z",   "vel_x",
                                        "vel_y",   "vel_z",   "accel_x", "accel_y",
                                        "accel_z", "density", "pressure"};

    *f = (fixture){.structure = {.name = "Particle"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        add_field(f, names[i]);
    add_uses(f, 0, 0, 0, 2, "r");
    add_uses(f, 0, 0, 9, 10, "w");
    add_uses(f, 0, 1, 0, 2, "r");
    add_uses(f, 1, 0, 0, 5, "r");
    add_uses(f, 1, 0, 6, 8, "w");
    add_uses(f, 1, 0, 9, 10, "r");
    add_uses(f, 1, 1, 0, 5, "r");
    add_uses(f, 1, 1, 9, 10, "r");
    add_uses(f, 2, 0, 0, 5, "rw");
    add_uses(f, 2, 0, 6, 8, "r");
}

/* Owns the results until the program ends. */
static pm_memory memory;

typedef struct {
    const fixture *f;
    pm_search_options options;
    pm_candidates_found found;
} searching;

static void run_search(void *user)
{
    searching *s = user;

    s->found =
        pm_layout_search(&memory, &s->f->structure, s->f->uses, s->f->use_count, &s->options);
}

static pm_candidates_found search(const fixture *f, size_t clusters)
{
    searching s = {.f = f, .options = {.clusters = clusters}};

    assert_ok(pm_attempt(&memory, run_search, &s, told()) == PM_OK);
    return s.found;
}

static bool has(const pm_candidates_found *found, const char *text)
{
    for (size_t i = 0; i < found->count; i++)
        if (strcmp(found->texts[i], text) == 0)
            return true;
    return false;
}

TEST(the_partitions_of_the_paper_are_among_those_ranked)
{
    fixture f;

    make_particle(&f);
    pm_candidates_found found = search(&f, 5000);
    assert_true(has(&found, "cluster-align:pos_x+pos_y+pos_z/vel_x+vel_y+vel_z/"
                            "accel_x+accel_y+accel_z/density+pressure"));
    assert_true(has(&found, "cluster-align:pos_x+pos_y+pos_z+vel_x+vel_y+vel_z+density+pressure/"
                            "accel_x+accel_y+accel_z"));
    /* density and pressure have equal accesses, so either of the two layouts is right */
    assert_true(has(&found, "cluster-align:pos_x+pos_y+pos_z+density/"
                            "vel_x+vel_y+vel_z+pressure/accel_x+accel_y+accel_z") ||
                has(&found, "cluster-align:pos_x+pos_y+pos_z+pressure/"
                            "vel_x+vel_y+vel_z+density/accel_x+accel_y+accel_z"));
    assert_true(has(&found, "cluster:pos_x+pos_y+pos_z/vel_x+vel_y+vel_z/"
                            "accel_x+accel_y+accel_z/density+pressure"));
}

TEST(few_are_kept_and_none_twice)
{
    fixture f;

    make_particle(&f);
    pm_candidates_found found = search(&f, 8);
    assert_string_equal(found.texts[0], "aos");
    assert_true(has(&found, "soa"));
    assert_true(found.count <= 5 + 8);
    assert_true(found.examined > found.count);
    for (size_t i = 0; i < found.count; i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(found.texts[i], found.texts[k]);
}

/* Reading 4 fields that stand alone costs more than reading a 16-byte struct of them. */
TEST(a_struct_that_is_read_whole_stays_together)
{
    fixture f = {.structure = {.name = "S"}};

    for (const char *name = "abcd"; *name; name++)
        add_field(&f, (char[]){*name, '\0'});
    add_uses(&f, 0, 1, 0, 3, "r");
    pm_candidates_found found = search(&f, 100);
    for (size_t i = 0; i < found.count; i++)
        if (strcmp(found.texts[i], "soa") == 0)
            assert_true(found.estimates[i] > found.estimates[1]);
    assert_string_equal(found.texts[1], "aos-align");
}

TEST(structs_of_many_fields_end)
{
    fixture f = {.structure = {.name = "Wide"}};

    for (size_t i = 0; i < 40; i++) {
        char name[16];

        snprintf(name, sizeof name, "f%zu", i);
        add_field(&f, name);
        add_uses(&f, i % 13, (unsigned)(i % 3), i, i, i % 2 ? "r" : "w");
    }
    pm_candidates_found found = search(&f, 10);
    assert_true(found.count > 5);
}

TEST(a_struct_that_nothing_uses_has_candidates)
{
    fixture f = {.structure = {.name = "Idle"}};

    add_field(&f, "a");
    pm_candidates_found found = search(&f, 10);
    assert_string_equal(found.texts[0], "aos");
}
