/* Tests memory layouts: compares positions of fields with the offsets and sizes of a C compiler,
 * and packed arrays with the addresses that plan.h defines for each scalar.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "layout_fixture.h"
#include "unit.h"

/* ---- comparison with the compiler --------------------------------------------------------- */

typedef float float4 __attribute__((vector_size(16)));
#define ALIGNED(bytes) __attribute__((aligned(bytes)))

static void expect_part(const pm_plan *plan, size_t part, size_t bytes, size_t align)
{
    assert_true(part < plan->part_count);
    assert_int_equal(plan->parts[part].bytes, bytes);
    assert_int_equal(plan->parts[part].align, align);
}

/* Returns the offset of member `path` of a part. */
static void expect_member(const pm_plan *plan, size_t part, const char *path, size_t offset,
                          size_t stride, size_t tile_stride)
{
    const pm_part *p = &plan->parts[part];

    for (size_t m = 0; m < p->member_count; m++) {
        if (strcmp(plan->structure->fields[p->members[m].field].path, path) != 0)
            continue;
        assert_int_equal(p->members[m].offset, offset);
        assert_int_equal(p->members[m].stride, stride);
        assert_int_equal(p->members[m].tile_stride, tile_stride);
        return;
    }
    fail_msg("no member %s", path);
}

/* Takada and Ohno 2016, section 3.2 and figures 5 to 7. */
TEST(the_papers_structs)
{
    typedef struct {
        float x, y, z;
    } three;
    typedef struct ALIGNED(16) {
        float x, y, z;
    } three_aligned;
    typedef struct ALIGNED(8) {
        float density, pressure;
    } two_aligned;
    typedef struct ALIGNED(16) {
        float pos_x, pos_y, pos_z, vel_x, vel_y, vel_z, density, pressure;
    } eight_aligned;
    typedef struct ALIGNED(16) {
        float pos_x, pos_y, pos_z, density;
    } four_aligned;
    pm_struct s = particle();
    pm_plan *plan = plan_of(&s, "cluster:3-3-3-2");

    assert_int_equal(plan->part_count, 4);
    expect_part(plan, 0, sizeof(three), _Alignof(three));
    expect_part(plan, 3, 8, 4);

    plan = plan_of(&s, "cluster-align:3-3-3-2");
    for (size_t p = 0; p < 3; p++)
        expect_part(plan, p, sizeof(three_aligned), _Alignof(three_aligned));
    expect_part(plan, 3, sizeof(two_aligned), _Alignof(two_aligned));
    expect_member(plan, 3, "pressure", offsetof(two_aligned, pressure), 4, 0);

    plan = plan_of(&s, "cluster-align:pos_x+pos_y+pos_z+vel_x+vel_y+vel_z+density+pressure/"
                       "accel_x+accel_y+accel_z");
    expect_part(plan, 0, sizeof(eight_aligned), _Alignof(eight_aligned));
    expect_part(plan, 1, sizeof(three_aligned), _Alignof(three_aligned));
    expect_member(plan, 0, "pressure", offsetof(eight_aligned, pressure), 4, 0);

    plan = plan_of(&s, "cluster-align:pos_x+pos_y+pos_z+density/vel_x+vel_y+vel_z+pressure/"
                       "accel_x+accel_y+accel_z");
    assert_int_equal(plan->part_count, 3);
    expect_part(plan, 0, sizeof(four_aligned), _Alignof(four_aligned));
    expect_member(plan, 0, "density", offsetof(four_aligned, density), 4, 0);
}

typedef struct {
    char tag;
    double mass;
    float4 v;
    short id[3];
    struct {
        int a;
        float4 b;
    } n[2];
    float table[2][5];
    unsigned char flag;
} mixed;

static pm_struct mixed_struct(void)
{
    pm_struct s = {.name = "mixed", .bytes = sizeof(mixed), .align = _Alignof(mixed)};
    const size_t ids[] = {3, 2, 0}, ns[] = {2, sizeof(((mixed *)0)->n[0]), 0},
                 tables[] = {2, 20, 5, 4, 0};

    add_field(&s, "tag", "char", 1, offsetof(mixed, tag), NULL);
    add_field(&s, "mass", "double", 8, offsetof(mixed, mass), NULL);
    add_field(&s, "v", "float3", 16, offsetof(mixed, v), NULL);
    add_field(&s, "id[]", "short", 2, offsetof(mixed, id), ids);
    add_field(&s, "n[].a", "int", 4, offsetof(mixed, n[0].a), ns);
    add_field(&s, "n[].b", "float4", 16, offsetof(mixed, n[0].b), ns);
    add_field(&s, "table[][]", "float", 4, offsetof(mixed, table), tables);
    add_field(&s, "flag", "uchar", 1, offsetof(mixed, flag), NULL);
    return s;
}

TEST(mixed_clusters)
{
    typedef struct {
        char tag;
        double mass;
        float4 v;
        short id[3];
    } first;
    typedef struct {
        int n_a[2];
        float4 n_b[2];
        float table[2][5];
        unsigned char flag;
    } second;
    typedef struct ALIGNED(8) {
        short id[3];
    } short_aligned;
    typedef struct ALIGNED(4) {
        unsigned char flag;
    } flag_aligned;
    pm_struct s = mixed_struct();
    pm_plan *plan = plan_of(&s, "cluster:4-4");

    expect_part(plan, 0, sizeof(first), _Alignof(first));
    expect_part(plan, 1, sizeof(second), _Alignof(second));
    expect_member(plan, 0, "mass", offsetof(first, mass), 8, 0);
    expect_member(plan, 0, "v", offsetof(first, v), 16, 0);
    expect_member(plan, 0, "id", offsetof(first, id), 2, 0);
    expect_member(plan, 1, "n.b", offsetof(second, n_b), 16, 0);
    expect_member(plan, 1, "table", offsetof(second, table), 4, 0);
    expect_member(plan, 1, "flag", offsetof(second, flag), 1, 0);

    for (unsigned align = 8; align <= 16; align += 8) {
        plan = plan_of(&s, align == 8 ? "cluster-align8:tag+mass+v/id/n.a+n.b/table/flag"
                                      : "cluster-align:tag+mass+v/id/n.a+n.b/table/flag");
        expect_part(plan, 1, sizeof(short_aligned), _Alignof(short_aligned));
        expect_part(plan, 3, align == 8 ? 40 : 48, align);
        expect_part(plan, 4, sizeof(flag_aligned), _Alignof(flag_aligned));
    }
}

TEST(mixed_tiles)
{
    enum { T = 8 };
    typedef struct {
        char tag[T];
        double mass[T];
        float4 v[T];
        short id[3][T];
        int n_a[2][T];
        float4 n_b[2][T];
        float table[T][2][5]; /* whole */
        unsigned char flag[T];
    } tile;
    pm_struct s = mixed_struct();
    pm_plan *plan;

    s.fields[6].whole = true;
    plan = plan_of(&s, "asta:8");
    assert_int_equal(plan->part_count, 1);
    expect_part(plan, 0, sizeof(tile), _Alignof(tile));
    expect_member(plan, 0, "mass", offsetof(tile, mass), sizeof(double) * T, sizeof(double));
    expect_member(plan, 0, "id", offsetof(tile, id), sizeof(short) * T, sizeof(short));
    expect_member(plan, 0, "n.b", offsetof(tile, n_b), 16 * T, 16);
    expect_member(plan, 0, "table", offsetof(tile, table), 4, sizeof(float[2][5]));
    expect_member(plan, 0, "flag", offsetof(tile, flag), T, 1);
    assert_int_equal(pm_plan_part_bytes(plan, 0, 0), 0);
    assert_int_equal(pm_plan_part_bytes(plan, 0, 1), sizeof(tile));
    assert_int_equal(pm_plan_part_bytes(plan, 0, T), sizeof(tile));
    assert_int_equal(pm_plan_part_bytes(plan, 0, T + 1), 2 * sizeof(tile));
}

TEST(arrays_of_fields)
{
    pm_struct s = mixed_struct();
    pm_plan *plan;

    s.fields[6].whole = true;
    plan = plan_of(&s, "soa");
    assert_int_equal(plan->part_count, 8);
    assert_true(plan->needs_count);
    assert_string_equal(plan->parts[4].name, "n_a");
    assert_true(plan->parts[4].scalar && plan->parts[4].by_element);
    assert_int_equal(pm_plan_part_bytes(plan, 4, 10), 10 * sizeof(int[2]));
    assert_false(plan->parts[6].by_element);
    expect_part(plan, 6, sizeof(float[2][5]), 4);
    assert_int_equal(pm_plan_part_bytes(plan, 6, 10), 10 * sizeof(float[2][5]));
    expect_part(plan, 2, 16, 16);

    s = particle();
    plan = plan_of(&s, "soa");
    assert_false(plan->needs_count);
    plan = plan_of(&s, "aos");
    assert_true(plan->identity && plan->part_count == 1);
    expect_part(plan, 0, 44, 4);
    plan = plan_of(&s, "aos-align8");
    assert_false(plan->identity);
    expect_part(plan, 0, 48, 8);
}

/* ---- packing ------------------------------------------------------------------------------ */

/* Returns the address in its part of scalar `flat` of a member in element i, as plan.h defines
 * it. */
static size_t address(const pm_plan *plan, const pm_part *part, const pm_member *member, size_t n,
                      size_t i, size_t flat)
{
    const size_t bytes = plan->structure->fields[member->field].bytes;

    if (part->by_element)
        return flat * n * bytes + i * bytes;
    return i / plan->tile * part->bytes + member->offset + flat * member->stride +
           i % plan->tile * member->tile_stride;
}

/* Returns the offset of the scalar in the source's struct. */
static size_t source_address(const pm_field *field, size_t flat)
{
    size_t at = field->offset, left = flat;

    for (size_t d = 0; d < field->extent_count; d++) {
        size_t below = 1;

        for (size_t e = d + 1; e < field->extent_count; e++)
            below *= field->extents[e].count;
        at += left / below * field->extents[d].stride;
        left %= below;
    }
    return at;
}

typedef struct {
    const pm_plan *plan;
    size_t n;
    unsigned char *structs;
    unsigned char *parts[256];
    bool pack;
} copy_job;

static void copy_by_address(const copy_job *job)
{
    const pm_plan *plan = job->plan;

    for (size_t p = 0; p < plan->part_count; p++)
        for (size_t m = 0; m < plan->parts[p].member_count; m++) {
            const pm_member *member = &plan->parts[p].members[m];
            const pm_field *field = &plan->structure->fields[member->field];

            for (size_t i = 0; i < job->n; i++)
                for (size_t flat = 0; flat < pm_field_elements(field); flat++) {
                    unsigned char *in_part =
                        job->parts[p] + address(plan, &plan->parts[p], member, job->n, i, flat);
                    unsigned char *in_struct =
                        job->structs + i * plan->structure->bytes + source_address(field, flat);

                    if (job->pack)
                        memcpy(in_part, in_struct, field->bytes);
                    else
                        memcpy(in_struct, in_part, field->bytes);
                }
        }
}

/* Allocates exactly this number of bytes, so that a sanitizer detects accesses beyond them. */
static void *filled(size_t bytes, unsigned char value)
{
    return memset(need(malloc(bytes + 1)), value, bytes + 1);
}

/* Packs and unpacks n elements of random bytes. Both results must equal a copy by addresses. */
static void compare_packing(const pm_plan *plan, size_t n, uint64_t *state)
{
    const size_t bytes = n * plan->structure->bytes;
    unsigned char *structs = filled(bytes, 0), *back = filled(bytes, 0x5a);
    copy_job expected = {.plan = plan, .n = n, .structs = structs, .pack = true};
    void *parts[256];

    assert_true(plan->part_count <= 256);
    for (size_t i = 0; i < bytes; i++)
        structs[i] = (unsigned char)random_bits(state);
    for (size_t p = 0; p < plan->part_count; p++) {
        parts[p] = filled(pm_plan_part_bytes(plan, p, n), 0x33);
        expected.parts[p] = filled(pm_plan_part_bytes(plan, p, n), 0);
        ((unsigned char *)parts[p])[pm_plan_part_bytes(plan, p, n)] = 0;
    }
    if (plan->identity)
        memcpy(expected.parts[0], structs, bytes);
    copy_by_address(&expected);
    pm_plan_pack(plan, structs, n, parts);
    for (size_t p = 0; p < plan->part_count; p++)
        assert_memory_equal(parts[p], expected.parts[p], pm_plan_part_bytes(plan, p, n) + 1);
    pm_plan_unpack(plan, back, n, (const void *const *)parts);
    expected.pack = false;
    expected.structs = filled(bytes, 0x5a);
    copy_by_address(&expected);
    if (plan->identity)
        memcpy(expected.structs, structs, bytes);
    assert_memory_equal(back, expected.structs, bytes + 1);
    for (size_t p = 0; p < plan->part_count; p++) {
        free(parts[p]);
        free(expected.parts[p]);
    }
    free(expected.structs);
    free(structs);
    free(back);
}

/* No two scalars of a plan share a byte. Otherwise packing and unpacking could agree and still lose
 * data. */
static void expect_no_overlap(const pm_plan *plan, size_t n)
{
    for (size_t p = 0; p < plan->part_count; p++) {
        const pm_part *part = &plan->parts[p];
        const size_t bytes = pm_plan_part_bytes(plan, p, n);
        unsigned char *taken = filled(bytes, 0);

        for (size_t m = 0; m < part->member_count; m++) {
            const pm_field *field = &plan->structure->fields[part->members[m].field];

            for (size_t i = 0; i < n * pm_field_elements(field); i++) {
                size_t at = address(plan, part, &part->members[m], n, i % n, i / n);

                assert_true(at + field->bytes <= bytes && at % field->align == 0);
                for (size_t b = 0; b < field->bytes; b++)
                    assert_int_equal(taken[at + b]++, 0);
            }
        }
        free(taken);
    }
}

TEST(random_plans)
{
    uint64_t generator = 7;

    for (size_t round = 0; round < 400; round++) {
        pm_struct s = random_struct(&generator, "S");
        char text[8192];
        pm_plan *plan;
        size_t t;

        random_layout(&generator, &s, round, text, sizeof text);
        plan = plan_of(&s, text);
        t = plan->tile;
        expect_no_overlap(plan, 3);
        for (size_t i = 0; i < 6; i++)
            compare_packing(plan, (const size_t[]){0, 1, t - 1, t, t + 1, 130 + t / 2}[i],
                            &generator);
    }
}

/* ---- structs that are too large, and other types ------------------------------------------ */

TEST(sizes_that_overflow)
{
    const size_t huge[] = {SIZE_MAX / 64, 16, 0}, wraps[] = {SIZE_MAX / 2, 16, 0};
    pm_struct s = {.name = "big", .bytes = SIZE_MAX / 4, .align = 16};
    pm_layout layout = {.kind = PM_LAYOUT_ASTA, .tile = 1024};
    pm_plan *plan;

    add_field(&s, "v[]", "float4", 16, 0, huge);
    assert_null(try_plan(&s, &layout, told()));
    assert_error(PM_BAD_INPUT, "too large");
    plan = plan_of(&s, "soa");
    assert_int_equal(pm_plan_part_bytes(plan, 0, 3), SIZE_MAX / 64 * 16 * 3);
    assert_true(pm_plan_part_bytes(plan, 0, 1000) == SIZE_MAX);
    assert_true(pm_plan_part_bytes(plan, 0, SIZE_MAX) == SIZE_MAX);

    add_field(&s, "w[]", "float4", 16, 0, wraps);
    assert_null(try_plan(&s, &(pm_layout){.kind = PM_LAYOUT_SOA}, told()));
    assert_non_null(strstr(last_error.text, "field w"));
    s.fields[1].extents[0].count = 0;
    assert_null(try_plan(&s, &(pm_layout){.kind = PM_LAYOUT_SOA}, told()));
}

TEST(layouts_that_do_not_fit)
{
    pm_struct s = particle(), empty = {.name = "none", .bytes = 4, .align = 4};
    size_t fields[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    pm_cluster cluster = {10, fields};
    pm_layout layout = {.kind = PM_LAYOUT_CLUSTER, .cluster_count = 1, .clusters = &cluster};
    pm_plan *plan;

    assert_null(try_plan(&s, &layout, told())); /* one is missing */
    assert_int_equal(last_error.status, PM_BAD_INPUT);
    cluster.count = 11;
    plan = try_plan(&s, &layout, told());
    assert_non_null(plan);
    fields[3] = 4; /* one twice */
    assert_null(try_plan(&s, &layout, told()));
    fields[3] = 11; /* not a field of the struct */
    assert_null(try_plan(&s, &layout, told()));
    assert_null(try_plan(&s, &(pm_layout){.kind = PM_LAYOUT_ASTA, .tile = 24}, told()));
    assert_null(try_plan(&s, &(pm_layout){.kind = PM_LAYOUT_ASTA}, told()));
    assert_null(try_plan(&s, &(pm_layout){.align = 12}, told()));
    assert_null(try_plan(&empty, &(pm_layout){.kind = PM_LAYOUT_SOA}, told()));
}
