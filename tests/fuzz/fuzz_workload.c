/* libFuzzer harness for the reader of workload files. For any bytes, it must report an error or
 * return a consistent description. The expressions of the description are evaluated, too.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Build as fuzz_dataset.c tells, then:
 *   mkdir -p build-fuzz/workloads
 *   build-fuzz/bin/fuzz_workload -max_total_time=600 -max_len=8192 \
 *       -dict=tests/fuzz/workload.dict build-fuzz/workloads tests/fuzz/workload_seeds
 */
#include "program/file/workload_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void demand(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "not so: %s\n", what);
        abort();
    }
}

static void demand_line(const char *text, const char *what)
{
    demand(*text != '\0', what);
    for (const char *c = text; *c; c++)
        demand((unsigned char)*c >= 0x20 && *c != 0x7f, what);
}

static void check_error(const pm_error *err)
{
    demand(err->status == PM_BAD_INPUT, "a fault of the file is PM_BAD_INPUT");
    demand(strncmp(err->text, "in.workload:", 12) == 0, "the message names the file");
    demand_line(err->text, "the message is one printable line");
}

static void check_text(const pm_workload_file *f, const pm_file_text *text)
{
    const pm_named_number names[] = {{"n", 1000}, {"i", 3}};
    const pm_numbers numbers = {2, names};
    const char *rest = text->text;
    char item[PM_FILE_ITEM], fault[PM_EXPRESSION_FAULT];

    if (!rest)
        return;
    demand(*rest != '\0', "no value is empty");
    demand(text->line > 0, "a value that stands there has a line");
    while (rest && pm_file_item(&rest, item)) {
        int64_t integer;
        double real;

        demand(item[0] != ' ' && item[strlen(item) - 1] != ' ', "items have no blanks around them");
        fault[0] = '\0';
        if (!pm_expression_integer(item, &numbers, &integer, fault))
            demand(*fault != '\0', "a wrong expression has a reason");
        fault[0] = '\0';
        if (pm_expression_real(item, &numbers, &real, fault))
            demand(isfinite(real), "a value is finite");
        else
            demand(*fault != '\0', "a wrong expression has a reason");
    }
    demand(f->path != NULL, "it has a path");
}

static void check_launch(const pm_workload_file *f, const pm_file_launch_texts *texts)
{
    const pm_file_text *const all[] = {&texts->kernel, &texts->global,    &texts->local,
                                       &texts->offset, &texts->arguments, &texts->repeat};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        check_text(f, all[i]);
}

static void check_file(const pm_workload_file *f)
{
    demand(f->name.text && f->source.text, "it has a name and a source");
    demand(f->size_count > 0 && f->launch_count > 0, "it has a size and a launch");
    for (size_t s = 0; s < f->size_count; s++)
        demand(*f->sizes[s].name && f->sizes[s].values, "a size has a name and values");
    for (size_t b = 0; b < f->buffer_count; b++) {
        demand(f->buffers[b].type.text && f->buffers[b].count.text, "a buffer has type and count");
        check_text(f, &f->buffers[b].count);
        check_text(f, &f->buffers[b].contents);
        for (size_t i = 0; i < f->buffers[b].field_count; i++)
            check_text(f, &f->buffers[b].fields[i].contents);
    }
    for (size_t l = 0; l < f->launch_count; l++) {
        demand(f->launches[l].with <= l, "a launch takes turns with an earlier one");
        demand(f->launches[f->launches[l].with].with == f->launches[l].with, "which leads");
        check_launch(f, &f->launches[l].texts);
    }
    for (size_t v = 0; v < f->variant_count; v++)
        for (size_t l = 0; l < f->launch_count; l++)
            check_launch(f, &f->variants[v].launches[l]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    pm_error err = {0};
    char *text = strndup((const char *)bytes, size);
    pm_workload_file *f;

    if (!text)
        return 0;
    f = pm_workload_file_parse(text, "in.workload", &err);
    free(text);
    if (f)
        check_file(f);
    else
        check_error(&err);
    pm_workload_file_free(f);
    return 0;
}
