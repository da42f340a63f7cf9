/* Tests that messages from a worker process are not trusted: a damaged message is either refused or
 * read as valid values, and no memory outside of the message is read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/worker/messages.h"
#include "unit.h"

enum { MUTANTS = 20000 };

/* A type of answer: functions that make, write, read and free it. */
typedef struct {
    const char *name;
    size_t bytes; /* of what is read */
    void (*wire)(pm_wire *wire, void *thing);
    void (*release)(void *thing);
    void *sample;
} answer;

static void wire_info(pm_wire *wire, void *thing)
{
    pm_wire_source_info(wire, thing);
}

static void release_info(void *thing)
{
    pm_memory_free(&((pm_source_info *)thing)->memory);
}

static void wire_rewritten(pm_wire *wire, void *thing)
{
    pm_wire_rewritten(wire, thing);
}

static void release_rewritten(void *thing)
{
    pm_memory_free(&((pm_rewritten *)thing)->memory);
}

static void wire_staged(pm_wire *wire, void *thing)
{
    pm_wire_staged(wire, thing);
}

static void release_staged(void *thing)
{
    pm_memory_free(&((pm_staged *)thing)->memory);
}

static void wire_tables(pm_wire *wire, void *thing)
{
    pm_wire_kernels(wire, thing);
}

static void release_tables(void *thing)
{
    pm_memory_free(&((pm_trace_tables *)thing)->memory);
}

#define TEXT(literal) ((char[]){literal})

static const pm_field field_x = {.path = TEXT("x"),
                                 .name = TEXT("x"),
                                 .type = TEXT("float"),
                                 .bytes = 4,
                                 .align = 4,
                                 .offset = 4};
static const pm_field field_a = {.path = TEXT("a.y"),
                                 .access = TEXT("a[].y"),
                                 .name = TEXT("a_y"),
                                 .type = TEXT("float2"),
                                 .bytes = 8,
                                 .align = 8,
                                 .offset = 8,
                                 .extent_count = 2,
                                 .extents = {{3, 16}, {2, 8}},
                                 .whole = true};
static pm_field fields[2];
static pm_struct structs[] = {
    {.name = TEXT("P"), .bytes = 56, .align = 8, .field_count = 2, .fields = fields}};
static pm_source_param params[] = {
    {.name = TEXT("p"),
     .takes = PM_TAKES_BUFFER,
     .structure = 0,
     .passed = PM_NO_STRUCT,
     .read = true},
    {.name = TEXT("n"),
     .type = "uint4",
     .structure = PM_NO_STRUCT,
     .bytes = 16,
     .passed = PM_NO_STRUCT},
    {.name = TEXT("s"), .structure = PM_NO_STRUCT, .bytes = 56, .passed = 0}};
static pm_source_access accesses[] = {{.structure = 0, .field = 1, .line = 3, .read = true}};
static pm_source_kernel kernels[] = {{.name = TEXT("k"),
                                      .line = 2,
                                      .param_count = 3,
                                      .params = params,
                                      .access_count = 1,
                                      .accesses = accesses}};
static char *names[] = {TEXT("P"), TEXT("helper"), TEXT("")};
static pm_source_info info = {.structs = {1, structs},
                              .passed = {1, structs},
                              .kernel_count = 1,
                              .kernels = kernels,
                              .name_count = 3,
                              .names = names};

static pm_param_map maps[] = {{PM_PARAM_PART, 0, 1}, {PM_PARAM_COUNT, 0, 0}, {PM_PARAM_SAME, 1, 0}};
static pm_kernel_map kernel_maps[] = {{TEXT("k"), 3, maps}};
static pm_rewritten rewritten = {
    .text = TEXT("kernel void k() {}"), .kernel_count = 1, .kernels = kernel_maps, .edits = 5};

static pm_stage_array arrays[] = {
    {.kernel = TEXT("k"), .array = TEXT("a"), .line = 4, .range = TEXT("a[0..7]"), .staged = true},
    {.kernel = TEXT("k"), .array = TEXT("b"), .accesses = 2.5, .reason = TEXT("k.cl:1: no")}};
static pm_staged staged = {.text = TEXT("kernel void k() {}"),
                           .edits = 3,
                           .array_count = 2,
                           .arrays = arrays,
                           .assumption_count = 1,
                           .assumptions = names};

static pm_access table_rows[] = {{.kind = "load",
                                  .space = "global",
                                  .bytes = 4,
                                  .buffer = "a",
                                  .structure = "",
                                  .field = "",
                                  .executions = 7,
                                  .access_class = "Coalesc"},
                                 {.kind = "atomic",
                                  .space = "shared",
                                  .buffer = "",
                                  .structure = "P",
                                  .field = "x",
                                  .access_class = ""}};
static pm_trace_kernel table_kernels[] = {
    {.kernel = "k", .launches = 3, .sampled = 0.5, .access_count = 2, .accesses = table_rows}};
static pm_trace_tables all_tables = {.kernels = table_kernels, .count = 1};

static const answer answers[] = {
    {"info", sizeof info, wire_info, release_info, &info},
    {"rewritten", sizeof rewritten, wire_rewritten, release_rewritten, &rewritten},
    {"staged", sizeof staged, wire_staged, release_staged, &staged},
    {"tables", sizeof all_tables, wire_tables, release_tables, &all_tables}};

static pm_wire written(const answer *a)
{
    pm_wire wire = PM_WIRE_WRITER;

    fields[0] = field_x;
    fields[1] = field_a;
    a->wire(&wire, a->sample);
    assert_false(wire.failed);
    return wire;
}

/* Decodes a copy of the bytes that ends where its allocation ends, so that a sanitizer detects
 * reads beyond the end. Returns whether the bytes are valid. *again becomes the decoded value,
 * encoded again. */
static bool reads(const answer *a, const uint8_t *data, size_t bytes, pm_wire *again)
{
    pm_wire wire = {.data = malloc(bytes ? bytes : 1), .bytes = bytes};
    void *thing = need(calloc(1, a->bytes));
    bool done;

    assert_non_null(wire.data);
    memcpy(wire.data, data, bytes);
    a->wire(&wire, thing);
    done = pm_wire_done(&wire);
    *again = PM_WIRE_WRITER;
    if (done)
        a->wire(again, thing);
    a->release(thing);
    free(thing);
    pm_wire_free(&wire);
    return done;
}

TEST(what_is_written_is_read)
{
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        pm_wire wire = written(&answers[i]), again;

        assert_true(reads(&answers[i], wire.data, wire.bytes, &again));
        assert_int_equal(again.bytes, wire.bytes);
        assert_memory_equal(again.data, wire.data, wire.bytes);
        pm_wire_free(&again);
        for (size_t bytes = 0; bytes < wire.bytes; bytes++) /* cut off */
            assert_false(reads(&answers[i], wire.data, bytes, &again));
        pm_wire_free(&wire);
    }
}

TEST(damaged_messages_do_no_harm)
{
    static const uint8_t odd[] = {0, 1, 2, 0x7f, 0x80, 0xff};
    uint64_t seed = 1;

    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        pm_wire wire = written(&answers[i]);
        size_t taken = 0;

        for (int m = 0; m < MUTANTS; m++) {
            uint8_t *data = need(malloc(wire.bytes));
            pm_wire again;

            memcpy(data, wire.data, wire.bytes);
            for (uint64_t n = random_bits(&seed) % 4 + 1; n > 0; n--)
                data[random_bits(&seed) % wire.bytes] = odd[random_bits(&seed) % sizeof odd];
            taken += reads(&answers[i], data, wire.bytes - random_bits(&seed) % 8 / 7, &again);
            pm_wire_free(&again);
            free(data);
        }
        if (taken == 0 || taken == MUTANTS)
            fail_msg("%s: %zu of %d damaged messages are taken", answers[i].name, taken, MUTANTS);
        pm_wire_free(&wire);
    }
}

/* The parts of a layout must lie at the described positions. */
TEST(a_description_that_lies_is_refused)
{
    static const struct {
        size_t structure, bytes, align, offset, count, stride;
    } cases[] = {{56, 0, 8, 8, 3, 16},
                 {56, 8, 0, 8, 3, 16},
                 {56, 8, 24, 8, 3, 16},
                 {56, 8, 8, 49, 3, 1},
                 {56, 8, 8, 8, 0, 16},
                 {56, 8, 8, 8, 3, 0},
                 {56, 8, 8, 8, 4, 16},
                 {47, 8, 8, 8, 3, 16},
                 {56, 8, 8, SIZE_MAX - 3, 3, 16},
                 {56, 8, 8, 8, 3, SIZE_MAX / 2 + 9}};
    pm_wire again;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pm_wire wire = PM_WIRE_WRITER;

        fields[0] = field_x;
        fields[1] = field_a;
        fields[1].bytes = cases[i].bytes;
        fields[1].align = cases[i].align;
        fields[1].offset = cases[i].offset;
        fields[1].extents[0] = (pm_extent){cases[i].count, cases[i].stride};
        structs[0].bytes = cases[i].structure;
        pm_wire_source_info(&wire, &info);
        structs[0].bytes = 56;
        if (reads(&answers[0], wire.data, wire.bytes, &again))
            fail_msg("case %zu is taken", i);
        pm_wire_free(&wire);
    }
}
