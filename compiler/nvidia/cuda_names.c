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

static bool has_lambda(const char *kernel)
{
    const char *open = strchr(kernel, '<');

    return open && strstr(open, "(lambda at ");
}

/* Returns whether pm_cuda_add_names adds no variable for a kernel, because its name has the type of
 * a lambda expression, or because it is an instance of a template and no_templates is set. */
static bool is_left_out(const char *kernel, bool no_templates)
{
    return has_lambda(kernel) || (no_templates && strchr(kernel, '<'));
}

void pm_cuda_add_names(const pm_workload *w, const char *place, bool no_templates, pm_text *text)
{
    pm_text_add(text, "\n#line 1 \"%s\"\n", place);
    for (size_t i = 0; i < w->launch_count; i++)
        if (first_with(w, i) == i && !is_left_out(w->launches[i].kernel, no_templates))
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

/* Returns the mangled name of the only instance of a kernel template in the PTX. If the kernel's
 * name has a lambda expression, only instances with the type of a lambda expression count ("Ul" in
 * the mangled name). NULL: there is none, or there are several. */
static const char *find_instance(const char *kernel, pm_cuda_code *code)
{
    static const char entry[] = ".entry ";
    const char *found = NULL, *base = kernel;
    char *part;

    for (const char *at = kernel; *at && *at != '<'; at++)
        base = *at == ':' ? at + 1 : base;
    part = pm_format(&code->memory, "%zu%.*sI", strcspn(base, "<"), (int)strcspn(base, "<"), base);
    for (const char *at = code->ptx; (at = strstr(at, entry));) {
        const char *name = pm_format(&code->memory, "%.*s", (int)strcspn(at + strlen(entry), " ("),
                                     at + strlen(entry));

        at += strlen(entry);
        if (!strstr(name, part) || (has_lambda(kernel) && !strstr(name, "Ul")) ||
            (found && strcmp(found, name) == 0))
            continue;
        if (found)
            return NULL;
        found = name;
    }
    return found;
}

static const char *find_kernel(const pm_workload *w, const char *compiler, size_t launch,
                               bool no_templates, pm_cuda_code *code)
{
    const char *kernel = w->launches[launch].kernel;

    return is_left_out(kernel, no_templates)
               ? find_instance(kernel, code)
               : take_name(w, compiler, pm_format(&code->memory, "pm_kernel_%zu", launch), code);
}

void pm_cuda_take_names(const pm_workload *w, const char *compiler, bool no_templates,
                        pm_cuda_code *code)
{
    pm_memory *memory = &code->memory;

    code->kernels = pm_take(memory, w->launch_count + 1, sizeof *code->kernels);
    code->symbols = pm_take(memory, w->symbol_count + 1, sizeof *code->symbols);
    for (size_t i = 0; i < w->launch_count; i++) {
        size_t first = first_with(w, i);

        code->kernels[i] =
            first < i ? code->kernels[first] : find_kernel(w, compiler, i, no_templates, code);
    }
    for (size_t i = 0; i < w->symbol_count; i++)
        code->symbols[i] = take_name(w, compiler, pm_format(memory, "pm_symbol_%zu", i), code);
}
