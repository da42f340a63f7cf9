/* Tests the estimate of the memory traffic of a wave of work-groups from the requests of one of
 * them, and the strides of addresses from one work-group to the next.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/error.h"
#include "collector/engine/group_strides.h"
#include "collector/engine/l2/wave_replay.h"
#include "collector/engine/l2/wave_schedule.h"
#include "unit.h"

enum { LINE = 128, SECTOR = 32, WAYS = 16, UNITS = 4, ALL = 0xF, KB = 1024 };

/* ---- strides of addresses ------------------------------------------------------------------- */

static const uint64_t plane[3] = {50, 20, 1};

static pm_site_shift shift_of(const pm_site_starts *starts, const uint64_t groups[3])
{
    pm_site_shift shift;
    pm_error err;

    assert_int_equal(pm_shift_find(starts, groups, &shift, &err), PM_OK);
    return shift;
}

TEST(rows_and_columns)
{
    pm_site_starts starts = {.count = 0};
    pm_site_shift shift;

    for (uint32_t group = 0; group < 1000; group += 77)
        pm_shift_see(&starts, group,
                     4096 + 64 * (uint64_t)(group % 50) + 8192 * (uint64_t)(group / 50));
    shift = shift_of(&starts, plane);
    assert_true(shift.known);
    assert_float_equal(shift.by[0], 64, 1e-6);
    assert_float_equal(shift.by[1], 8192, 1e-6);
    assert_true(shift.by[2] == 0);
}

/* Groups of one row do not determine the stride to the next row. If there is no next row, it is not
 * needed. */
TEST(one_row_alone)
{
    static const uint64_t line[3] = {1000, 1, 1};
    pm_site_starts starts = {.count = 0};

    for (uint32_t group = 0; group < 10; group++)
        pm_shift_see(&starts, group, 64 * (uint64_t)group);
    assert_false(shift_of(&starts, plane).known);
    assert_true(shift_of(&starts, line).known);
}

TEST(a_group_at_the_edge_bends_nothing)
{
    pm_site_starts starts = {.count = 0};
    pm_site_shift shift;

    for (uint32_t group = 0; group < 1000; group += 91)
        pm_shift_see(&starts, group,
                     group == 0 ? 100000
                                : 64 * (uint64_t)(group % 50) + 8192 * (uint64_t)(group / 50));
    shift = shift_of(&starts, plane);
    assert_true(shift.known);
    assert_float_equal(shift.by[0], 64, 1);
    assert_float_equal(shift.by[1], 8192, 8);
}

TEST(what_data_says_is_not_known)
{
    pm_site_starts starts = {.count = 0};
    uint64_t random = 1;

    for (uint32_t group = 0; group < 1000; group += 50)
        pm_shift_see(&starts, group, random_bits(&random) >> 40);
    assert_false(shift_of(&starts, plane).known);
    starts.count = 0;
    assert_false(shift_of(&starts, plane).known);
}

/* Recorded cells (work-groups of one wave on one compute unit) are spread over the whole launch,
 * whatever their number. */
TEST(cells_from_everywhere)
{
    pm_site_starts all = {.count = 0};
    uint32_t most = 0;

    for (uint32_t cell = 0; cell < 1000; cell++) {
        pm_site_starts one = {.count = 0};

        for (uint32_t i = 0; i < 5; i++)
            pm_shift_see(&one, 5 * cell + i, 64 * (uint64_t)(5 * cell + i));
        pm_shift_join(&all, &one);
    }
    assert_true(all.count > 8);
    assert_true(all.count <= PM_SHIFT_GROUPS);
    for (unsigned i = 0; i < all.count; i++) {
        assert_int_equal(all.address[i], 64 * (uint64_t)all.group[i]);
        most = all.group[i] > most ? all.group[i] : most;
    }
    assert_true(most > 3500);
}

/* ---- a wave --------------------------------------------------------------------------------- */

typedef struct {
    pm_wave *wave;
    pm_wave_plan plan;
    pm_site_shift shift;
    pm_wave_cache l2;
    pm_wave_counts counts;
    bool known;
} fixture;

static int setup(void **state)
{
    fixture *f = need(calloc(1, sizeof *f));

    *f = (fixture){.wave = pm_wave_create(),
                   .plan = {UNITS, 1, {40, 1, 1}},
                   .shift = {true, {0, 0, 0}},
                   .l2 = {256 * KB, 0, LINE, SECTOR, WAYS}};
    need(f->wave);
    pm_wave_begin(f->wave);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    pm_wave_free(((fixture *)*state)->wave);
    free(*state);
    return 0;
}

#define WAVE_TEST(name) TEST_OF(fixture, name, setup, teardown)

/* Group 0 asks for whole lines. */
static void ask(fixture *f, uint64_t first, uint64_t lines)
{
    for (uint64_t i = 0; i < lines; i++) {
        const pm_l2_request request = {
            .line = 1000 + first + i, .sectors = ALL, .write = PM_L2_READ, .site = 1};

        assert_true(pm_wave_add(f->wave, 0, &request, 1));
    }
}

static void replay(fixture *f, double bytes_a_group)
{
    pm_error err;

    f->shift.by[0] = bytes_a_group;
    assert_int_equal(
        pm_wave_replay(f->wave, &f->plan, &f->shift, 1, &f->l2, &f->counts, &f->known, &err),
        PM_OK);
    assert_true(f->known);
}

static double missed(fixture *f, double bytes_a_group)
{
    replay(f, bytes_a_group);
    return f->counts.missed[PM_L2_READ] / f->counts.asked[PM_L2_READ];
}

WAVE_TEST(what_all_share_is_there)
{
    ask(f, 0, 64);
    assert_true(missed(f, 0) == 0);
}

WAVE_TEST(what_is_a_group_s_own_is_fetched)
{
    ask(f, 0, 64);
    assert_true(missed(f, 64 * LINE) == 1);
}

/* Each group has all but 16 of its 64 lines in common with its neighbour. */
WAVE_TEST(neighbours_overlap)
{
    ask(f, 0, 64);
    assert_float_equal(missed(f, 16 * LINE), .25, .02);
    assert_float_equal(missed(f, -16 * LINE), .25, .02);
}

/* Half a line per group: sectors that do not fit into one line are in the next line. */
WAVE_TEST(parts_of_lines)
{
    for (uint64_t i = 0; i < 64; i++)
        ask(f, 1000 * i, 1);
    assert_float_equal(missed(f, .5 * LINE), .5, .05);
}

/* Each group writes half a line, so that two groups write parts of the same line, and, with strides
 * of half a sector, of the same sector. A sector becomes dirty once. */
WAVE_TEST(written_parts_of_sectors)
{
    for (uint64_t i = 0; i < 64; i++) {
        const pm_l2_request request = {
            .line = 1000 + 1000 * i, .sectors = 1, .write = PM_L2_WRITE, .site = 1};

        assert_true(pm_wave_add(f->wave, 0, &request, 1));
    }
    f->l2.bytes = 1024 * KB;
    replay(f, SECTOR);
    assert_true(f->counts.dirtied == f->counts.asked[PM_L2_WRITE]);
    replay(f, .5 * SECTOR);
    assert_float_equal(f->counts.dirtied / f->counts.asked[PM_L2_WRITE], .5, .02);
}

/* A group that accesses its lines again hits as long as the lines of all concurrent groups fit. */
WAVE_TEST(room_for_all_at_once)
{
    ask(f, 0, 256);
    ask(f, 0, 256);
    assert_float_equal(missed(f, 256 * LINE), .5, .02);
    f->l2.bytes = 64 * KB;
    assert_float_equal(missed(f, 256 * LINE), 1, .02);
}

/* Groups that start together read common lines at the same time, but no longer after many waves. */
WAVE_TEST(long_launches_fall_out_of_step)
{
    ask(f, 0, 1024);
    f->l2.bytes = 32 * KB;
    f->plan.groups[0] = 2 * UNITS;
    assert_float_equal(missed(f, 0), 1. / UNITS, .05);
    f->plan.groups[0] = 100 * UNITS;
    assert_float_equal(missed(f, 0), 1, .05);
}

WAVE_TEST(a_cache_behind_keeps_what_was_lost)
{
    ask(f, 0, 256);
    ask(f, 0, 256);
    f->l2.bytes = 64 * KB;
    missed(f, 256 * LINE);
    assert_true(f->counts.fetched == f->counts.missed[PM_L2_READ]);
    f->l2.behind = 1024 * KB;
    missed(f, 256 * LINE);
    assert_float_equal(f->counts.fetched / f->counts.missed[PM_L2_READ], .5, .02);
}

/* Instruction i loads 16 lines, whose stride is i lines. A group shares with its neighbour the
 * lines by which the stride is less than 16. */
WAVE_TEST(instructions_with_different_strides)
{
    enum { INSTRUCTIONS = 20, LINES = 16 };
    pm_site_shift shift[INSTRUCTIONS];
    double fetched = 0;
    pm_error err;

    for (unsigned i = 0; i < INSTRUCTIONS; i++) {
        shift[i] = (pm_site_shift){true, {i * LINE, 0, 0}};
        fetched += i < LINES ? (double)i / LINES : 1;
        for (unsigned k = 0; k < LINES; k++) {
            const pm_l2_request request = {.line = 1000 * (i + 1) + k,
                                           .sectors = ALL,
                                           .write = PM_L2_READ,
                                           .site = (uint16_t)(i + 1)};

            assert_true(pm_wave_add(f->wave, 0, &request, 1));
        }
    }
    assert_int_equal(
        pm_wave_replay(f->wave, &f->plan, shift, INSTRUCTIONS, &f->l2, &f->counts, &f->known, &err),
        PM_OK);
    assert_true(f->known);
    assert_float_equal(f->counts.missed[PM_L2_READ] / f->counts.asked[PM_L2_READ],
                       fetched / INSTRUCTIONS, .05);
}

WAVE_TEST(only_what_is_linear)
{
    pm_error err;

    ask(f, 0, 8);
    f->shift.known = false;
    assert_int_equal(
        pm_wave_replay(f->wave, &f->plan, &f->shift, 1, &f->l2, &f->counts, &f->known, &err),
        PM_OK);
    assert_false(f->known);
    /* A request of a memory instruction that was not announced. */
    f->shift.known = true;
    assert_int_equal(
        pm_wave_replay(f->wave, &f->plan, &f->shift, 0, &f->l2, &f->counts, &f->known, &err),
        PM_OK);
    assert_false(f->known);
    pm_wave_begin(f->wave);
    assert_int_equal(
        pm_wave_replay(f->wave, &f->plan, &f->shift, 1, &f->l2, &f->counts, &f->known, &err),
        PM_OK);
    assert_false(f->known);
}

/* A chunk selects the requests that have a simulated line, and the requests whose next line is
 * simulated if they may reach it. */
TEST(a_chunk_selects_simulated_lines)
{
    enum { ALWAYS = 7 };
    const pm_schedule_moves moves = {
        .lines = {0, pm_schedule_hash(12345), pm_schedule_hash((uint64_t)-77)},
        .beyond = {0, pm_schedule_hash(1), 0}};
    const uint64_t apart[] = {0, 12345, (uint64_t)-77};
    const uint64_t passed_over = 15;
    unsigned selected = 0;

    for (uint64_t round = 0; round < 100; round++) {
        uint64_t hashes[PM_SCHEDULE_CHUNK];
        uint8_t strides[PM_SCHEDULE_CHUNK];
        uint32_t mask;

        for (unsigned i = 0; i < PM_SCHEDULE_CHUNK; i++) {
            hashes[i] = pm_schedule_hash(1000 + round * PM_SCHEDULE_CHUNK + i);
            strides[i] = i == 5 ? ALWAYS : (uint8_t)(i % 3);
        }
        mask = pm_schedule_simulated(hashes, strides, &moves, ALWAYS, passed_over);
        for (unsigned i = 0; i < PM_SCHEDULE_CHUNK; i++) {
            const uint64_t line = 1000 + round * PM_SCHEDULE_CHUNK + i + apart[i % 3];
            const bool wanted =
                i == 5 || pm_schedule_selects(pm_schedule_hash(line), passed_over) ||
                (i % 3 == 1 && pm_schedule_selects(pm_schedule_hash(line + 1), passed_over));

            assert_int_equal(mask >> i & 1, wanted);
            selected += wanted;
        }
    }
    /* 1 in 16, 1 in 8 of every third request, and one request of each chunk */
    assert_in_range(selected, 300, 450);
}

TEST(slots_are_due_in_their_step)
{
    uint32_t when[PM_SCHEDULE_SLOTS];

    for (uint32_t i = 0; i < PM_SCHEDULE_SLOTS; i++)
        when[i] = i % 7 == 3 ? 9 : i;
    for (uint32_t now = 0; now < PM_SCHEDULE_SLOTS + 1; now++)
        for (unsigned i = 0; i < PM_SCHEDULE_SLOTS; i++)
            assert_int_equal(pm_schedule_due(when, now) >> i & 1, when[i] == now);
}
