/* Reads the mangled names of a CUDA source's kernels and symbols from PTX. See cuda_compile.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Variables that point to the kernels are added to the source. They make the compiler instantiate
 * kernel templates, and their initial values in the PTX are the kernels' names.
 */
#include <string.h>

#include "compiler/nvidia/cuda_compile.h"

/* Returns the index of the first launch that has the same kernel as `launch`. */
static size_t first_with(const pm_workload *w, size_t launch)
{
    size_t i = 0;

    while (strcmp(w->launches[i].kernel, w->launches[launch].kernel) != 0)
        i++;
    return i;
}

void pm_cuda_add_names(const pm_workload *w, const char *place, pm_text *text)
{
    pm_text_add(text, "\n#line 1 \"%s\"\n", place);
    for (size_t i = 0; i < w->launch_count; i++)
        if (first_with(w, i) == i)
            pm_text_add(text, "__attribute__((device)) auto *pm_kernel_%zu = &%s;\n", i,
                        w->launches[i].kernel);
    for (size_t i = 0; i < w->symbol_count; i++)
        pm_text_add(text, "__attribute__((device)) auto *pm_symbol_%zu = &%s;\n", i,
                    w->symbols[i].name);
}

/* Returns NAME from a line "pm_kernel_0 = NAME;" or "pm_symbol_0 = generic(NAME);" of the PTX, and
 * replaces the line by blanks. */
static const char *take_name(const pm_workload *w, const char *compiler, const char *variable,
                             pm_cuda_code *code)
{
    char *wanted = pm_format(&code->memory, " %s = ", variable), *at = strstr(code->ptx, wanted);
    char *name = at ? at + strlen(wanted) : NULL, *end = name ? strchr(name, ';') : NULL, *kept;

    if (!end)
        pm_leave(&code->memory, PM_FAILED, "%s: the PTX of %s does not tell what %s is called",
                 w->program, compiler, variable);
    if (strncmp(name, "generic(", 8) == 0)
        name += 8;
    kept = pm_format(&code->memory, "%.*s", (int)strcspn(name, ");"), name);
    while (at > code->ptx && at[-1] != '\n')
        at--;
    memset(at, ' ', (size_t)(end + 1 - at));
    return kept;
}

void pm_cuda_take_names(const pm_workload *w, const char *compiler, pm_cuda_code *code)
{
    pm_memory *memory = &code->memory;

    code->kernels = pm_take(memory, w->launch_count + 1, sizeof *code->kernels);
    code->symbols = pm_take(memory, w->symbol_count + 1, sizeof *code->symbols);
    for (size_t i = 0; i < w->launch_count; i++) {
        size_t first = first_with(w, i);

        code->kernels[i] =
            first < i ? code->kernels[first]
                      : take_name(w, compiler, pm_format(memory, "pm_kernel_%zu", i), code);
    }
    for (size_t i = 0; i < w->symbol_count; i++)
        code->symbols[i] = take_name(w, compiler, pm_format(memory, "pm_symbol_%zu", i), code);
}
