/* Tests the kernel launches that are found in host code. Each source in host/ has its expected
 * results in lines that begin with //=, values that the user sets in lines that begin with //set,
 * and the program's arguments in a line that begins with //arguments.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/file.h"
#include "base/text.h"
#include "collector/worker/host.h"
#include "tests/unit.h"
#include "tests/worker_fixture.h"

enum { MOST_SETS = 8, MOST_BYTES = 1 << 20 };

static void write_dimensions(pm_text *text, const uint64_t size[3])
{
    pm_text_add(text, "%llu", (unsigned long long)size[0]);
    if (size[1] != 1 || size[2] != 1)
        pm_text_add(text, "x%llu", (unsigned long long)size[1]);
    if (size[2] != 1)
        pm_text_add(text, "x%llu", (unsigned long long)size[2]);
}

static void write_argument(pm_text *text, const pm_source_launches *of,
                           const pm_launch_argument *argument)
{
    if (argument->kind == PM_LAUNCH_NULL)
        pm_text_add(text, "null");
    else if (argument->kind == PM_LAUNCH_LOCAL)
        pm_text_add(text, "local");
    else if (argument->kind == PM_LAUNCH_VALUE)
        pm_text_add(text, "%s", argument->value ? argument->value : "?");
    else
        pm_text_add(text, "%s", of->buffers[argument->buffer].name);
    if (argument->offset > 0)
        pm_text_add(text, "+%llu", (unsigned long long)argument->offset);
}

static void write_launch(pm_text *text, const pm_source_launches *of,
                         const pm_source_launch *launch)
{
    pm_text_add(text, "%d: %s<<<", launch->line, launch->kernel);
    write_dimensions(text, launch->grid);
    pm_text_add(text, ", ");
    write_dimensions(text, launch->block);
    if (launch->shared)
        pm_text_add(text, ", %llu", (unsigned long long)launch->shared);
    pm_text_add(text, ">>>(");
    for (size_t i = 0; i < launch->argument_count; i++) {
        pm_text_add(text, "%s", i ? ", " : "");
        write_argument(text, of, &launch->arguments[i]);
    }
    pm_text_add(text, ")");
    if (launch->times != 1)
        pm_text_add(text, " x%llu", (unsigned long long)launch->times);
    pm_text_add(text, "\n");
}

static void write_launches(pm_text *text, const pm_source_launches *of)
{
    if (of->is_opencl)
        pm_text_add(text, "opencl %s\n", of->build_options);
    for (size_t i = 0; i < of->assumption_count; i++)
        pm_text_add(text, "assumed %s = %s\n", of->assumptions[i].name, of->assumptions[i].value);
    for (size_t i = 0; i < of->needed_count; i++)
        pm_text_add(text, "needed %s\n", of->needed[i]);
    for (size_t i = 0; i < of->buffer_count; i++)
        pm_text_add(text, "%s: %s[%llu]%s%s\n", of->buffers[i].name, of->buffers[i].type,
                    (unsigned long long)of->buffers[i].elements,
                    of->buffers[i].zeros ? " zeros" : "", of->buffers[i].assumed ? " assumed" : "");
    for (size_t i = 0; i < of->launch_count; i++)
        write_launch(text, of, &of->launches[i]);
}

/* Returns the lines of a source that begin with `mark`, without the mark. */
static void read_marked(pm_text *marked, const char *source, const char *mark)
{
    const size_t length = strlen(mark);

    for (const char *at = source; *at;) {
        const size_t line = strcspn(at, "\n");

        if (strncmp(at, mark, length) == 0) {
            pm_text_put(marked, at + length, line - length);
            pm_text_put(marked, "\n", 1);
        }
        at += line + (at[line] == '\n');
    }
}

static void release_launches(void *launches)
{
    pm_source_launches_free(launches);
}

static pm_source_launches *launches_of(const char *text, const char *path,
                                       const pm_launch_inputs *inputs)
{
    pm_source_launches *out = room(1, sizeof *out);
    const pm_status status =
        pm_host_launches(text, path, NULL, inputs, test_worker(), NULL, out, told());

    free_later(out, release_launches);
    assert_ok(status == PM_OK);
    return out;
}

static void release_text(void *text)
{
    pm_text_free(text);
}

static pm_text *new_text(void)
{
    pm_text *text = room(1, sizeof *text);

    free_later(text, release_text);
    return text;
}

static void check_file(void **state)
{
    const char *name = *state;
    const char *sets[MOST_SETS + 1] = {NULL}, *arguments[MOST_SETS + 1] = {NULL};
    pm_launch_inputs inputs = {.sets = sets};
    pm_text *expected = new_text(), *found = new_text(), *set = new_text(), *words = new_text();
    char path[1024], *source, *rest, *at;
    size_t count = 0;

    snprintf(path, sizeof path, "%s/tests/worker/host/%s%s", PM_SOURCE_DIR, name,
             strchr(name, '.') ? "" : ".cu");
    assert_ok(pm_file_read(path, MOST_BYTES, "a source", &source, told()) == PM_OK);
    owned_memory(source);
    read_marked(expected, source, "//= ");
    read_marked(set, source, "//set ");
    pm_text_put(set, "\n", 1); /* so that the text is never NULL */
    for (at = strtok_r(set->data, "\n", &rest); at && count < MOST_SETS;
         at = strtok_r(NULL, "\n", &rest))
        sets[count++] = at;
    read_marked(words, source, "//arguments ");
    count = 0;
    inputs.arguments = words->length ? arguments : NULL;
    for (at = words->length ? strtok_r(words->data, " \n", &rest) : NULL; at && count < MOST_SETS;
         at = strtok_r(NULL, " \n", &rest))
        arguments[count++] = at;
    write_launches(found, launches_of(source, path, &inputs));
    assert_string_equal(pm_text_get(found), pm_text_get(expected));
}

__attribute__((constructor)) static void add_files(void)
{
    static const char *const names[] = {
        "arguments", "classes",  "command", "large_command", "conditions", "defaults", "forms",
        "helpers",   "hostile",  "images",  "library",       "loops",      "macros",   "missing",
        "no_main",   "opencl.c", "records", "saxpy",         "settings"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        add_case(names[i], check_file, names[i]);
}

TEST(wrong_set_is_refused)
{
    static const char *const sets[] = {"n", NULL};
    static const pm_launch_inputs inputs = {.sets = sets};
    pm_source_launches out;

    assert_int_equal(
        pm_host_launches("int main() {}", "a.cu", NULL, &inputs, test_worker(), NULL, &out, told()),
        PM_BAD_INPUT);
    pm_source_launches_free(&out);
    assert_error(PM_BAD_INPUT, "--set n", "NAME=VALUE");
}

TEST(source_without_host_code)
{
    assert_int_equal(
        launches_of("__global__ void k(float *x) { x[0] = 1; }", "a.cu", NULL)->launch_count, 0);
}
