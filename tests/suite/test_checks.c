/* Every program and variant of the suite at its smallest size, on a CPU device: results must equal
 * the reference. And every program's check must be able to fail: with a few elements changed,
 * or with nothing written, it does. Skips where the machine has no OpenCL CPU device.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>

#include "collector/measure.h"
#include "program/suite/suite.h"
#include "trace_fixture.h"
#include "unit.h"
#include "worker_fixture.h"

enum { MAX_BUFFERS = 16 };

/* Number of elements that are damaged at a time, at most what a small work-group writes. Some
 * checks compare only every few elements. */
enum { RUN = 64 };

static pm_status check(const pm_workload *workload, unsigned char *const *outputs, pm_error *err)
{
    const void *contents[MAX_BUFFERS] = {0};

    for (size_t i = 0; i < workload->buffer_count; i++)
        contents[i] = outputs[i];
    return workload->check(workload, contents, err);
}

/* Changes one bit of an element of four bytes. The bit of a float is a high bit of the exponent,
 * chosen so that the value stays a number. */
static void damage(unsigned char *element)
{
    float value;

    memcpy(&value, element, sizeof value);
    element[3] ^= value > 1e-3f || value < -1e-3f ? 0x20 : 0x40;
}

/* Returns the first element from `element` on that the kernels wrote. Checks ignore padding. */
static size_t written_element(const pm_buffer *buffer, const unsigned char *output, size_t element)
{
    const unsigned char *initial = buffer->initial;
    const unsigned char zero[4] = {0};

    while (4 * element + 4 <= buffer->bytes &&
           memcmp(output + 4 * element, initial ? initial + 4 * element : zero, 4) == 0)
        element++;
    assert_true(4 * element + 4 <= buffer->bytes);
    return element;
}

static void wrong_elements_are_found(const pm_workload *workload, unsigned char *const *outputs,
                                     size_t buffer, size_t from)
{
    const pm_buffer *b = &workload->buffers[buffer];
    size_t first = written_element(b, outputs[buffer], from);
    size_t left = b->bytes / 4 - first;
    size_t count = left < RUN ? left : RUN;
    unsigned char *at = outputs[buffer] + 4 * first;
    unsigned char right[4 * RUN];

    memcpy(right, at, 4 * count);
    for (size_t i = 0; i < count; i++)
        damage(at + 4 * i);
    if (check(workload, outputs, told()) != PM_FAILED)
        fail_msg("%s %s: %zu elements from %zu of %s are wrong, and the check passes",
                 workload->program, workload->size, count, first, b->name);
    assert_true(last_error.text[0] != '\0');
    memcpy(at, right, 4 * count);
}

static void nothing_written_is_found(const pm_workload *workload, unsigned char *const *outputs,
                                     size_t buffer)
{
    const pm_buffer *b = &workload->buffers[buffer];
    unsigned char *unwritten[MAX_BUFFERS];

    memcpy(unwritten, outputs, sizeof unwritten);
    unwritten[buffer] = calloc(1, b->bytes);
    assert_non_null(unwritten[buffer]);
    if (b->initial)
        memcpy(unwritten[buffer], b->initial, b->bytes);
    if (check(workload, unwritten, told()) != PM_FAILED)
        fail_msg("%s %s: %s is not written, and the check passes", workload->program,
                 workload->size, b->name);
    free(unwritten[buffer]);
}

static void check_can_fail(pm_executor *executor, const pm_workload *workload)
{
    unsigned char *outputs[MAX_BUFFERS] = {0};
    size_t damaged = 0;

    assert_true(workload->buffer_count <= MAX_BUFFERS);
    for (size_t i = 0; i < workload->buffer_count; i++)
        if (workload->buffers[i].flags & PM_BUFFER_OUTPUT) {
            outputs[i] = malloc(workload->buffers[i].bytes);
            assert_non_null(outputs[i]);
            assert_int_equal(executor->type->read(executor, i, outputs[i], told()), PM_OK);
        }
    assert_ok(check(workload, outputs, told()) == PM_OK);
    for (size_t i = 0; i < workload->buffer_count; i++)
        if (outputs[i]) {
            size_t elements = workload->buffers[i].bytes / 4;

            wrong_elements_are_found(workload, outputs, i, elements / 2);
            wrong_elements_are_found(workload, outputs, i, elements / 7 * 5 + 3);
            nothing_written_is_found(workload, outputs, i);
            damaged++;
        }
    assert_true(damaged > 0);
    /* the kernels overwrote the damage, so nothing was damaged */
    if (check(workload, outputs, told()) != PM_OK)
        fail_msg("%s", last_error.text);
    for (size_t i = 0; i < workload->buffer_count; i++)
        free(outputs[i]);
}

/* Checks a variant. If it is the first, also checks that damaged outputs are detected. */
static void check_variant(pm_executor *executor, const pm_program *program, const char *variant)
{
    pm_workload *workload =
        pm_program_build(program, variant, program->info.sizes[0], 1, test_session(), told());

    print_message("%s %s %s\n", program->info.name, variant, program->info.sizes[0]);
    if (!workload || pm_measure_reference(executor, workload, told()) != PM_OK ||
        executor->type->load(executor, workload, told()) != PM_OK ||
        executor->type->run(executor, NULL, told()) != PM_OK ||
        pm_measure_check(executor, workload, told()) != PM_OK)
        fail_msg("%s", last_error.text);
    if (variant == program->info.variants[0])
        check_can_fail(executor, workload);
    executor->type->unload(executor);
    pm_workload_free(workload);
}

static void gives_the_reference_and_its_check_can_fail(void **state)
{
    const pm_program *program = *state;
    pm_executor *executor = open_cpu();

    if (!executor)
        skip();
    for (const char *const *variant = program->info.variants; *variant; variant++)
        check_variant(executor, program, *variant);
    executor->type->close(executor);
}

/* Equal seeds give equal inputs in every variant; another seed gives other inputs. */
TEST(inputs_follow_the_seed)
{
    for (size_t i = 0; i < pm_program_count(); i++) {
        const pm_program *program = pm_suite_program(i);
        const char *size = program->info.sizes[0];
        const char *const *variants = program->info.variants;
        /* different layouts have the same inputs in different buffers */
        const char *other = variants[1] && !program->info.layouts ? variants[1] : variants[0];
        pm_workload *a = pm_program_build(program, variants[0], size, 1, test_session(), told());
        pm_workload *b = pm_program_build(program, other, size, 1, test_session(), told());
        pm_workload *c = pm_program_build(program, variants[0], size, 2, test_session(), told());
        bool differs = false;

        if (!a || !b || !c)
            fail_msg("%s", last_error.text);
        for (size_t k = 0; k < a->buffer_count; k++) {
            const pm_buffer *buffer = &a->buffers[k];

            if (!buffer->initial)
                continue;
            assert_memory_equal(buffer->initial, b->buffers[k].initial, buffer->bytes);
            differs |= memcmp(buffer->initial, c->buffers[k].initial, buffer->bytes) != 0;
        }
        if (!differs)
            fail_msg("%s: inputs do not depend on the seed", program->info.name);
        pm_workload_free(a);
        pm_workload_free(b);
        pm_workload_free(c);
    }
}

/* Commands do not try the files of the suite in all sizes and variants. */
TEST(workload_files_of_the_suite_are_sound)
{
    for (size_t i = 0; i < pm_program_count(); i++) {
        const pm_program *listed = pm_suite_program(i), *read;
        const char *const *now = listed->info.variants;
        char name[256], path[PATH_MAX];

        if (!listed->file)
            continue;
        snprintf(name, sizeof name, "kernels/%s", listed->file);
        assert_ok(pm_share_path(name, path, sizeof path, told()) == PM_OK);
        read = pm_program_open(test_session(), path, told());
        assert_ok(read != NULL);
        assert_string_equal(read->info.name, listed->info.name);
        assert_string_equal(read->info.title, listed->info.title);
        assert_int_equal(read->info.probe, listed->info.probe);
        for (const char *const *v = read->info.variants; *v; v++, now++)
            assert_string_equal(*v, *now);
        assert_null(*now);
    }
}

int main(void)
{
    for (size_t i = 0; i < pm_program_count(); i++)
        add_case(pm_suite_program(i)->info.name, gives_the_reference_and_its_check_can_fail,
                 pm_suite_program(i));
    return run_all_tests(NULL, NULL);
}
