/* Contents of large buffers that are computed where they are needed: equal to those of small
 * buffers, which are computed at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/clock.h"
#include "owned.h"
#include "program/contents/fill.h"
#include "program/suite/suite.h"
#include "worker_fixture.h"

enum { SMALL = 20000, LARGE = 200 << 20 };

static const char source[] =
    "typedef struct { uchar tag; float x; int id; } Thing;\n"
    "__kernel void one(__global Thing *things, __global float *a, __global float3 *b, __global int "
    "*c, __global short *d, __global uint *e, __global double *f, __global int2 *g, "
    "__global half *h)\n"
    "{ a[0] = things[0].x + b[0].x + c[0] + d[0] + e[0] + f[0] + g[0].x; }\n";

static const char text[] = "[workload]\n"
                           "name = later\n"
                           "source = later.cl\n"
                           "[size small]\n"
                           "n = 20000\n"
                           "[size large]\n"
                           "n = 209715200\n"
                           "[buffer things]\n"
                           "type = struct Thing\n"
                           "count = n\n"
                           "contents = constant 7\n"
                           "contents.x = random\n"
                           "contents.id = range -3, 1\n"
                           "[buffer a]\n"
                           "type = float\n"
                           "count = n\n"
                           "contents = random -2, 2, 4\n"
                           "[buffer b]\n"
                           "type = float3\n"
                           "count = n\n"
                           "contents = range 0, 1\n"
                           "[buffer c]\n"
                           "type = int\n"
                           "count = n\n"
                           "contents = each i % 1000 < 500 ? i / 3 : 7 - i\n"
                           "[buffer d]\n"
                           "type = short\n"
                           "count = 2 * n\n"
                           "contents = random -100, 100\n"
                           "[buffer e]\n"
                           "type = uint\n"
                           "count = n\n"
                           "contents = random\n"
                           "[buffer f]\n"
                           "type = double\n"
                           "count = n\n"
                           "contents = each 1 / (i + 1)\n"
                           "[buffer g]\n"
                           "type = int2\n"
                           "count = n\n"
                           "contents = range 5, 2\n"
                           "contents.y = random 0, 9\n"
                           "[buffer h]\n"
                           "type = half\n"
                           "count = 2 * n\n"
                           "contents = random\n"
                           "[launch one]\n"
                           "global = 64\n"
                           "local = 64\n"
                           "arguments = things, a, b, c, d, e, f, g, h\n";

typedef struct {
    char path[320];
    pm_program *program;
    pm_workload *small, *large;
} fixture;

OWNED(program, pm_program, pm_program_read_free)

static pm_workload *build(const fixture *f, const char *size)
{
    pm_workload *w = pm_program_build(f->program, "aos", size, 1, test_session(), told());

    if (!w)
        fail_msg("%s: %s", size, last_error.text);
    return owned_workload(w);
}

static int set_up(void **state)
{
    fixture *f = room(1, sizeof *f);
    char *folder = scratch_folder();

    write_text_in(folder, "later.cl", source);
    write_text_in(folder, "later.workload", text);
    snprintf(f->path, sizeof f->path, "%s/later.workload", folder);
    f->program = owned_program(pm_program_read(f->path, test_worker(), told()));
    f->small = build(f, "small");
    f->large = build(f, "large");
    *state = f;
    return 0;
}

#define FIXTURE_TEST(name) TEST_OF(fixture, name, set_up, NULL)

FIXTURE_TEST(parts_equal_the_whole)
{
    static const size_t at[] = {0, 1, 4095, 4096, 8191 * 3, 65521}, bytes[] = {1, 7, 4096, 10000};
    uint8_t *part = room(10000, 1);
    pm_fill_room *space = pm_fill_room_create();
    char fault[PM_EXPRESSION_FAULT];

    assert_non_null(space);
    for (size_t b = 0; b < f->large->buffer_count; b++) {
        const pm_fills *rules = pm_workload_rules(f->large, b);
        const uint8_t *whole = f->small->buffers[b].initial;

        assert_non_null(rules);
        assert_null(pm_workload_rules(f->small, b));
        assert_int_equal(rules->bytes, f->large->buffers[b].bytes);
        for (size_t i = 0; i < sizeof at / sizeof *at; i++)
            for (size_t k = 0; k < sizeof bytes / sizeof *bytes; k++) {
                if (at[i] + bytes[k] > f->small->buffers[b].bytes)
                    continue;
                assert_true(pm_fills_write(rules, at[i], bytes[k], part, space, fault));
                assert_memory_equal(part, whole + at[i], bytes[k]);
            }
    }
    pm_fill_room_free(space);
}

/* The end of a large buffer has the numbers that the rules say, and nothing is read before them. */
FIXTURE_TEST(end)
{
    pm_fill_room *space = pm_fill_room_create();
    char fault[PM_EXPRESSION_FAULT];
    float b[4];
    double last;

    assert_non_null(space);
    assert_true(pm_fills_write(pm_workload_rules(f->large, 2), (size_t)16 * (LARGE - 1), 16,
                               (uint8_t *)b, space, fault));
    assert_true(b[0] == (float)(3.0 * (LARGE - 1)) && b[3] == 0);
    assert_true(pm_fills_write(pm_workload_rules(f->large, 6), (size_t)8 * (LARGE - 1), 8,
                               (uint8_t *)&last, space, fault));
    assert_true(last == 1.0 / LARGE);
    pm_fill_room_free(space);
}

/* A message carries the rules to another process, which computes the same contents. */
FIXTURE_TEST(message)
{
    uint8_t *here = room(5000, 1), *there = room(5000, 1);
    pm_fill_room *space = pm_fill_room_create();
    char fault[PM_EXPRESSION_FAULT];

    assert_non_null(space);
    for (size_t b = 0; b < f->large->buffer_count; b++) {
        pm_wire wire = PM_WIRE_WRITER, reader;
        pm_fills *copy = calloc(1, sizeof *copy);

        assert_non_null(copy);
        pm_fills_put(&wire, pm_workload_rules(f->large, b));
        reader = (pm_wire){.data = wire.data, .bytes = wire.bytes};
        pm_fills_wire(&reader, copy);
        assert_true(pm_wire_done(&reader));
        assert_true(
            pm_fills_write(pm_workload_rules(f->large, b), 12345, 5000, here, space, fault));
        assert_true(pm_fills_write(copy, 12345, 5000, there, space, fault));
        assert_memory_equal(here, there, 5000);
        pm_fills_free(copy);
        pm_wire_free(&wire);
    }
    pm_fill_room_free(space);
}

/* Each truncation and each changed byte of a message is refused, or harmless. */
FIXTURE_TEST(damaged_messages)
{
    uint8_t *to = room(5000, 1);
    pm_fill_room *space = pm_fill_room_create();
    char fault[PM_EXPRESSION_FAULT];
    size_t refused = 0;

    assert_non_null(space);
    for (size_t b = 0; b < f->large->buffer_count; b++) {
        pm_wire wire = PM_WIRE_WRITER;

        pm_fills_put(&wire, pm_workload_rules(f->large, b));
        for (size_t i = 0; i < wire.bytes; i++) {
            const uint8_t before = wire.data[i];
            pm_wire reader = {.data = wire.data, .bytes = wire.bytes};
            pm_fills *copy = calloc(1, sizeof *copy);

            assert_non_null(copy);
            wire.data[i] = (uint8_t)(before ^ (1U << i % 8));
            pm_fills_wire(&reader, copy);
            if (!pm_wire_done(&reader))
                refused++;
            else
                pm_fills_write(copy, 0, copy->bytes < 5000 ? copy->bytes : 5000, to, space, fault);
            pm_fills_free(copy);
            wire.data[i] = before;
        }
        pm_wire_free(&wire);
    }
    assert_true(refused > 100);
    pm_fill_room_free(space);
}

/* The whole contents, written when somebody needs them. */
TEST(written_once)
{
    pm_workload *w = owned_workload(pm_workload_create("made", "plain", "one"));
    pm_fills *rules = calloc(1, sizeof *rules);
    pm_fill_rule *rule;
    const int32_t *values;
    enum { COUNT = 700001 };
    void *data;

    assert_non_null(rules);
    rules->element_bytes = sizeof(int32_t);
    rules->bytes = COUNT * sizeof(int32_t);
    rule = pm_try_take(&rules->memory, 1, sizeof *rule);
    assert_non_null(rule);
    *rule = (pm_fill_rule){.kind = PM_FILL_RANGE, .scalars = 1, .elements = COUNT, .stride = 4};
    rule->value[0].integer = 11;
    rule->value[1].integer = 3;
    assert_true(pm_file_type_find("int", &rule->type));
    rules->items = rule;
    rules->count = 1;
    data = pm_workload_later(w, rules);
    assert_non_null(data);
    pm_workload_buffer(w, "a", rules->bytes, data, PM_BUFFER_IN);
    values = w->buffers[0].initial;
    assert_int_equal(values[COUNT - 1], 0);
    assert_int_equal(pm_workload_write(w, 0, told()), PM_OK);
    for (int32_t i = 0; i < COUNT; i += 997)
        assert_int_equal(values[i], 11 + 3 * i);
    assert_int_equal(values[COUNT - 1], 11 + 3 * (COUNT - 1));
    assert_int_equal(pm_workload_settle(w, 0, told()), PM_OK);
    assert_null(pm_workload_rules(w, 0));
    assert_int_equal(values[COUNT - 1], 11 + 3 * (COUNT - 1));
}

TEST_MAIN(NULL, NULL)
