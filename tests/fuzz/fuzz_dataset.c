/* libFuzzer harness for the dataset reader. For any bytes, the reader must report an error or
 * return a consistent dataset.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Build and run (clang 14 or newer):
 *   cmake -G Ninja -B build-fuzz -DPM_FUZZ=ON -DCMAKE_C_COMPILER=clang-14
 *   ninja -C build-fuzz fuzz_dataset
 *   mkdir -p build-fuzz/corpus
 *   build-fuzz/bin/fuzz_dataset -max_total_time=600 -max_len=16384 \
 *       -dict=tests/fuzz/dataset.dict build-fuzz/corpus tests/fuzz/seeds
 */
#include "base/numbers.h"
#include "model/samples/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void demand(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "not so: %s\n", what);
        abort();
    }
}

static void check_error(const pm_error *err)
{
    demand(err->status == PM_BAD_INPUT, "a fault of the file is PM_BAD_INPUT");
    demand(strncmp(err->text, "in.csv:", 7) == 0, "the message names file and line");
    for (const char *c = err->text; *c; c++)
        demand((unsigned char)*c >= 0x20 && *c != 0x7f, "the message is one printable line");
}

static void check_number(double value)
{
    char text[PM_NUMBER_SIZE];
    double back;
    if (isnan(value))
        return;
    demand(isfinite(value), "numbers are finite");
    demand(pm_number_format(value, text) && pm_number_parse(text, &back) && back == value,
           "numbers can be written and read back");
}

static void check_dataset(const pm_dataset *dataset, size_t size)
{
    char text[PM_FAULT_SIZE];
    size_t counters = pm_dataset_counters(dataset);

    demand(dataset->end.sound_bytes >= 0 && (size_t)dataset->end.sound_bytes <= size,
           "the sound part is a part of the file");
    for (size_t row = 0; row < pm_dataset_rows(dataset); row++) {
        const pm_sample *sample = pm_dataset_sample(dataset, row);
        demand(!pm_sample_fault(sample, counters, text), "each row may stand in a dataset");
        demand(pm_dataset_find_key(dataset, sample) == row, "each row is found by its key");
        demand(pm_dataset_find(dataset, sample), "each row is found by its place");
        check_number(sample->time_s);
        for (size_t i = 0; i < counters; i++)
            check_number(sample->counters[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static int fd = -1; /* one file in memory for all inputs */
    pm_error err = {0};

    if (fd < 0)
        fd = memfd_create("dataset", MFD_CLOEXEC);
    demand(fd >= 0 && ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0 &&
               write(fd, bytes, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0,
           "the input can be put into a file");
    pm_dataset *dataset = pm_dataset_read_fd(fd, "in.csv", &err);
    if (dataset)
        check_dataset(dataset, size);
    else
        check_error(&err);
    pm_dataset_free(dataset);
    return 0;
}
