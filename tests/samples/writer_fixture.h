/* A dataset of two counters, and rows for it, for tests of the dataset writer.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_WRITER_FIXTURE_H
#define PM_TESTS_WRITER_FIXTURE_H

#include "dataset_fixture.h"

#include <dirent.h>

#include "model/samples/dataset.h"

static const char *const two[] = {"gld", "gst"};

#define HEADER                                                                                     \
    "device,program,variant,size,kernel,counter_source,time_s,time_mad_s,runs,work_items,"         \
    "work_group,gld,gst\n"

static inline pm_dataset_writer *open_two(fixture *f)
{
    pm_dataset_writer *writer = pm_dataset_writer_open(f->file, two, 2, &f->log, told());
    assert_ok(writer);
    return writer;
}

static inline pm_sample sample_of(const char *kernel, const double *counters)
{
    return (pm_sample){.device = "h100",
                       .program = "nbody",
                       .variant = "aos",
                       .size = "small",
                       .kernel = kernel,
                       .counter_source = "cupti",
                       .time_s = 0.1,
                       .time_mad_s = NAN,
                       .runs = 9,
                       .work_items = 1e6,
                       .work_group = 64,
                       .counters = counters};
}

static inline pm_status append(pm_dataset_writer *writer, const char *kernel, double value,
                               pm_error *err)
{
    double counters[2] = {value, NAN};
    pm_sample sample = sample_of(kernel, counters);
    return pm_dataset_writer_append(writer, &sample, err);
}

static inline void append_or_fail(pm_dataset_writer *writer, const char *kernel, double value)
{
    assert_ok(append(writer, kernel, value, told()) == PM_OK);
}

/* Checks the number of files in the folder, so that no temporary file remains. */
static inline void assert_files(const fixture *f, size_t expected)
{
    size_t count = 0;
    DIR *folder = need(opendir(f->folder));
    for (struct dirent *entry; (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    closedir(folder);
    assert_int_equal(count, expected);
}

#endif
