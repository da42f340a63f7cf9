/* Tests that a capture finds the loops in a sequence of launches: the loop that is written to the
 * workload file has the same launches as the sequence, and other sequences do not become loops.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/replay/loops.h"
#include "rng.h"

enum { MOST = 200 };

/* A launch of two arguments, a buffer and an int. */
typedef struct {
    char kernel[8];
    size_t global, buffer;
    int value;
} simple;

typedef struct {
    pm_memory memory;
    pm_captured_launch from[MOST];
    pm_replay_arg args[MOST][2];
    int values[MOST];
    pm_replay_launch launches[MOST];
    pm_replay replay;
} fixture;

static void work(void *user)
{
    fixture *f = user;

    pm_replay_find_loops(&f->memory, &f->replay);
}

static void fold(fixture *f, const simple *rows, size_t count)
{
    memset(f, 0, sizeof *f);
    for (size_t i = 0; i < count; i++) {
        f->values[i] = rows[i].value;
        f->from[i] = (pm_captured_launch){.dimensions = 1, .global = {rows[i].global}};
        f->args[i][0] = (pm_replay_arg){.kind = PM_REPLAY_BUFFER, .buffer = rows[i].buffer};
        f->args[i][1] = (pm_replay_arg){.kind = PM_REPLAY_VALUE,
                                        .bytes = sizeof(int),
                                        .value = (const unsigned char *)&f->values[i],
                                        .type = "int"};
        f->launches[i] = (pm_replay_launch){.from = &f->from[i],
                                            .kernel = rows[i].kernel,
                                            .local = {1},
                                            .arg_count = 2,
                                            .args = f->args[i]};
    }
    f->replay.launches = f->launches;
    f->replay.launch_count = count;
    assert_int_equal(pm_attempt(&f->memory, work, f, NULL), PM_OK);
}

static size_t on_line(size_t first, size_t second, size_t k)
{
    return first + (second - first) * k;
}

/* Evaluates section s for i = k by the rules of workload files. */
static simple turn(const fixture *f, const pm_replay_section *section, size_t k)
{
    const pm_replay_launch *first = &f->launches[section->launch];
    const pm_replay_launch *second =
        &f->launches[section->launch + (section->count > 1 ? section->stride : 0)];
    const size_t period = pm_replay_period(&f->replay, section, 0);
    int a, b;
    simple made;

    memcpy(&a, first->args[1].value, sizeof a);
    memcpy(&b, second->args[1].value, sizeof b);
    snprintf(made.kernel, sizeof made.kernel, "%s", first->kernel);
    made.global = on_line(first->from->global[0], second->from->global[0], k);
    made.value = a + (b - a) * (int)k;
    made.buffer = f->launches[section->launch + k % period * section->stride].args[0].buffer;
    return made;
}

/* Unfolds all sections as the reader of workload files does, and compares. */
static void check_same(const fixture *f, const simple *rows, size_t count)
{
    size_t at = 0;

    for (size_t s = 0, end; s < f->replay.section_count; s = end) {
        const pm_replay_section *leader = &f->replay.sections[s];

        end = s + 1;
        while (end < f->replay.section_count && f->replay.sections[end].leader == s)
            end++;
        for (size_t k = 0; k < leader->count; k++)
            for (size_t l = s; l < end; l++) {
                const simple made = turn(f, &f->replay.sections[l], k);

                assert_true(at < count);
                assert_string_equal(made.kernel, rows[at].kernel);
                assert_int_equal(made.global, rows[at].global);
                assert_int_equal(made.buffer, rows[at].buffer);
                assert_int_equal(made.value, rows[at].value);
                at++;
            }
    }
    assert_int_equal(at, count);
}

static size_t sections_of(const simple *rows, size_t count)
{
    static fixture f;
    size_t sections;

    fold(&f, rows, count);
    check_same(&f, rows, count);
    sections = f.replay.section_count;
    pm_memory_free(&f.memory);
    return sections;
}

TEST(loops_are_found)
{
    const simple same[] = {{"a", 64, 0, 5}, {"a", 64, 0, 5}};
    const simple lines[] = {{"a", 64, 0, 5}, {"a", 60, 1, 8}, {"a", 56, 0, 11}, {"a", 52, 1, 14}};
    const simple turns[] = {{"a", 64, 0, 1}, {"b", 8, 1, 0},  {"a", 64, 0, 2},
                            {"b", 8, 1, 0},  {"a", 64, 0, 3}, {"b", 8, 1, 0}};

    assert_int_equal(sections_of(same, 2), 1);
    assert_int_equal(sections_of(lines, 4), 1);
    assert_int_equal(sections_of(turns, 6), 2);
}

/* Two launches are always linear in i, so they do not become a loop. Three need not be linear. */
TEST(others_are_not)
{
    const simple two[] = {{"a", 64, 0, 5}, {"a", 64, 0, 7}};
    const simple three[] = {{"a", 64, 0, 5}, {"a", 64, 0, 7}, {"a", 64, 0, 8}};
    const simple kernels[] = {{"a", 64, 0, 5}, {"b", 64, 0, 5}, {"c", 64, 0, 5}};

    assert_int_equal(sections_of(two, 2), 2);
    assert_int_equal(sections_of(three, 3), 3);
    assert_int_equal(sections_of(kernels, 3), 3);
}

/* Random nested loops of launches, with an occasional deviation. */
TEST(random_rows)
{
    gsl_rng *r = rng_of(4711);
    size_t fewer = 0;

    for (int round = 0; round < 2000; round++) {
        simple rows[MOST];
        const size_t body = 1 + gsl_rng_uniform_int(r, 4),
                     count = body + gsl_rng_uniform_int(r, MOST - body);
        const int step = (int)gsl_rng_uniform_int(r, 7) - 3;
        const size_t buffers = 1 + gsl_rng_uniform_int(r, 3);

        for (size_t i = 0; i < count; i++) {
            rows[i] = (simple){"k", 64 + 4 * (i % body), i / body % buffers,
                               (int)(i / body) * step + (int)(i % body)};
            rows[i].kernel[0] = (char)('a' + i % body);
            if (gsl_rng_uniform_int(r, 50) == 0)
                rows[i].value += (int)gsl_rng_uniform_int(r, 3);
        }
        fewer += sections_of(rows, count) < count;
    }
    assert_true(fewer > 1000);
}
