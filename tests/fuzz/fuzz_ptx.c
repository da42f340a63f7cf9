/* libFuzzer harness for the parser of PTX. For any bytes, it must report an error or return a tree
 * whose kernels can be described.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Build as fuzz_dataset.c tells, then:
 *   mkdir -p build-fuzz/ptx
 *   build-fuzz/bin/fuzz_ptx -max_total_time=600 -max_len=8192 \
 *       -dict=tests/fuzz/ptx.dict build-fuzz/ptx tests/fuzz/ptx_seeds
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/ptx/buffer_use.h"
#include "compiler/ptx/describe.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

typedef struct {
    pm_memory memory;
    const char *text;
} parsing;

static void demand(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "not so: %s\n", what);
        abort();
    }
}

static void parse(void *user)
{
    parsing *p = user;
    const pm_ptx_module *module = pm_ptx_parse(&p->memory, p->text, "in.ptx");
    size_t count;
    const pm_ptx_kernel *kernels = pm_ptx_describe(&p->memory, module, &count);

    for (size_t k = 0; k < count; k++) {
        demand(kernels[k].parameter_count == kernels[k].function->parameter_count,
               "all parameters are described");
        demand(pm_ptx_find_kernel(kernels, count, kernels[k].function->name) != NULL,
               "each kernel is found by its name");
        demand(pm_ptx_find_buffer_use(&p->memory, kernels[k].function) != NULL,
               "the use of buffers is found");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size + 1);
    parsing p = {.text = text};
    pm_error err = {0};
    pm_status status;

    demand(text != NULL, "there is memory for the input");
    memcpy(text, bytes, size);
    text[size] = '\0';
    status = pm_attempt(&p.memory, parse, &p, &err);
    if (status != PM_OK) {
        demand(status == PM_BAD_INPUT, "a fault of the text is PM_BAD_INPUT");
        demand(strncmp(err.text, "in.ptx", 6) == 0, "the message names the file");
        for (const char *c = err.text; *c; c++)
            demand((unsigned char)*c >= 0x20 && *c != 0x7f, "the message is one printable line");
    }
    pm_memory_free(&p.memory);
    free(text);
    return 0;
}
