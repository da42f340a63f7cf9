/* Parses parameters of kernels in NVIDIA's PTX text, and rewrites PTX from NVIDIA's OpenCL compiler
 * so that the CUDA driver can launch it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PTX is documented in NVIDIA's PTX ISA. How OpenCL uses PTX's %envreg registers is not documented,
 * but observed in the compiler's output. PTX that reads an %envreg with unknown meaning is
 * therefore refused.
 */
#include "collector/cupti/cuda_ptx.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

/* Name in the rewritten PTX of the array for dynamic shared memory. The $ makes the name different
 * from all names of OpenCL C. */
#define DYNAMIC "$pm_dynamic_shared"

enum { GLOBAL_CONSTANTS = 90 /* compute capability 9.0 */ };

static const char *skip_blanks(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

static size_t name_length(const char *at)
{
    size_t n = 0;

    while (isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == '$')
        n++;
    return n;
}

/* Searches PTX text from `at` on for the next kernel, ".entry NAME (". Returns the position after
 * '(', or NULL if there is no further kernel. *name becomes the start of the kernel's name, and
 * *length the name's length. */
static const char *next_entry(const char *at, const char **name, size_t *length)
{
    while ((at = strstr(at, ".entry"))) {
        at = skip_blanks(at + strlen(".entry"));
        *name = at;
        *length = name_length(at);
        at = skip_blanks(at + *length);
        if (*length > 0 && *at == '(')
            return at + 1;
    }
    return NULL;
}

static bool has_word(const char *text, const char *end, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = text; at + length <= end; at++)
        if (memcmp(at, word, length) == 0 && !isalnum((unsigned char)at[length]))
            return true;
    return false;
}

bool pm_ptx_waits_for_grid(const char *ptx, const char *kernel)
{
    static const char counter[] = "%envreg1";
    const char *name, *first = strstr(ptx, ".entry"), *at = first;
    size_t length = 0;

    for (const char *f = ptx; (f = strstr(f, counter)) != NULL; f++) {
        const char *function = f, *entry = f;

        while (function > ptx && strncmp(function, ".func", 5) != 0)
            function--;
        while (entry > ptx && strncmp(entry, ".entry", 6) != 0)
            entry--;
        if (function > entry)
            return true;
    }
    while (at && (at = next_entry(at, &name, &length)) != NULL) {
        const char *end = strstr(at, ".entry");

        if (length == strlen(kernel) && memcmp(name, kernel, length) == 0)
            return has_word(at, end ? end : at + strlen(at), counter);
    }
    return false;
}

/* Parses the declaration of a kernel parameter in PTX, such as ".param .u64 .ptr .global .align 4
 * name" or ".param .align 16 .b8 name[16]". */
static bool parse_parameter(const char *text, const char *end, pm_ptx_parameter *p)
{
    static const struct {
        const char *type;
        size_t bytes;
    } types[] = {{".u64", 8}, {".b64", 8}, {".s64", 8}, {".f64", 8}, {".u32", 4},
                 {".b32", 4}, {".s32", 4}, {".f32", 4}, {".u16", 2}, {".b16", 2},
                 {".s16", 2}, {".f16", 2}, {".u8", 1},  {".b8", 1},  {".s8", 1}};
    const char *tail = end, *start;
    size_t elements = 1;

    memset(p, 0, sizeof *p);
    for (size_t i = 0; p->bytes == 0 && i < sizeof types / sizeof types[0]; i++)
        if (has_word(text, end, types[i].type))
            p->bytes = types[i].bytes;
    if (has_word(text, end, ".ptr"))
        p->space = has_word(text, end, ".shared")  ? PM_PTX_SHARED
                   : has_word(text, end, ".const") ? PM_PTX_CONST
                                                   : PM_PTX_GLOBAL;
    while (tail > text && isspace((unsigned char)tail[-1]))
        tail--;
    if (tail > text && tail[-1] == ']') {
        while (tail > text && *tail != '[')
            tail--;
        elements = strtoul(tail + 1, NULL, 10);
    }
    start = tail;
    while (start > text && name_length(start - 1) > 0)
        start--;
    if (p->bytes == 0 || elements == 0 || start == tail)
        return false;
    p->bytes *= elements;
    p->name = start;
    p->name_length = (size_t)(tail - start);
    return true;
}

/* Parses the kernel parameters between `at` and the next ')'. *count becomes their number. false if
 * the text is not valid. */
static bool parse_head(const char *at, pm_ptx_parameter *parameters, size_t *count)
{
    const char *end = strchr(at, ')');

    *count = 0;
    if (!end)
        return false;
    while (skip_blanks(at) < end) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;

        if (*count == PM_PTX_MAX_PARAMETERS || !parse_parameter(at, stop, &parameters[*count]))
            return false;
        (*count)++;
        at = comma ? comma + 1 : end;
    }
    return true;
}

pm_status pm_ptx_parameters(const char *ptx, const char *kernel, pm_ptx_parameter *parameters,
                            size_t *count, pm_error *err)
{
    const char *name, *at = ptx;
    size_t length;

    while ((at = next_entry(at, &name, &length))) {
        if (length != strlen(kernel) || memcmp(name, kernel, length) != 0)
            continue;
        if (parse_head(at, parameters, count))
            return PM_OK;
        return pm_fail(err, PM_FAILED, "cannot read the parameters of kernel %s in its PTX",
                       kernel);
    }
    return pm_fail(err, PM_FAILED, "no kernel %s in the PTX that OpenCL made", kernel);
}

/* ---- rewriting --------------------------------------------------------------------------- */

typedef struct {
    pm_text text;
    unsigned dimensions;
    size_t constant_bytes;
    /* number, plus 1, of an %envreg register that the PTX reads and that has no counterpart in
     * CUDA; 0: there is none */
    unsigned unknown;
} writer;

/* Returns the CUDA counterpart of OpenCL's register %envregN; NULL: the PTX keeps the register.
 * Registers 0 to 2 are the offset of the first work-group. PTX gets the constant 0 in their place:
 * this offset is 0 in our launches, but the registers are not 0 under CUDA (observed on an H100).
 * Registers 3 to 5 are the global offset. They are 0 under CUDA, so the PTX keeps them. */
static const char *replacement(writer *w, unsigned long n, char *text, size_t size)
{
    if (n >= 3 && n < 6)
        return NULL;
    if (n < 3)
        snprintf(text, size, "0");
    else if (n < 9)
        snprintf(text, size, "%%nctaid.%c", "xyz"[n - 6]);
    else if (n == 9 && w->dimensions > 0)
        snprintf(text, size, "%u", w->dimensions);
    else {
        w->unknown = (unsigned)n + 1;
        return NULL;
    }
    return text;
}

static void write_text(writer *w, const char *at, const char *end)
{
    static const char register_name[] = "%envreg";
    char text[32];

    while (at < end) {
        const char *found = memmem(at, (size_t)(end - at), register_name, strlen(register_name));
        const char *number, *with;
        char *after;
        unsigned long n;

        if (!found)
            break;
        number = found + strlen(register_name);
        n = strtoul(number, &after, 10);
        with = after > number ? replacement(w, n, text, sizeof text) : NULL;
        pm_text_put(&w->text, at, (size_t)((with ? found : after) - at));
        if (with)
            pm_text_add(&w->text, "%s", with);
        at = after;
    }
    if (at < end)
        pm_text_put(&w->text, at, (size_t)(end - at));
}

/* Returns whether a PTX statement is "ld.param.u64 REGISTER, [NAME];", with the name of parameter
 * `p`, and sets `reg` to the register's name. */
static bool loads_parameter(const char *at, const char *end, const pm_ptx_parameter *p, char *reg,
                            size_t reg_size)
{
    size_t length;
    const char *comma = memchr(at, ',', (size_t)(end - at)), *open;

    at = skip_blanks(at);
    if (!comma || strncmp(at, "ld.param.", 9) != 0)
        return false;
    at += strcspn(at, " \t");
    at = skip_blanks(at);
    length = strcspn(at, ", \t");
    open = skip_blanks(comma + 1);
    if (at[0] != '%' || length >= reg_size || *open != '[' ||
        strncmp(open + 1, p->name, p->name_length) != 0 || open[1 + p->name_length] != ']')
        return false;
    memcpy(reg, at, length);
    reg[length] = '\0';
    return true;
}

/* Returns the name of the array into which a pointer argument to memory `space` is an offset; NULL:
 * the argument is an address. */
static const char *base_of(const writer *w, pm_ptx_space space)
{
    if (space == PM_PTX_SHARED)
        return DYNAMIC;
    return space == PM_PTX_CONST && w->constant_bytes > 0 ? PM_PTX_CONSTANTS : NULL;
}

/* Copies the body of a kernel to the output. A __local pointer argument is an offset here. Each
 * load of it is followed by an additional instruction that adds the start of dynamic shared memory.
 * If a __constant pointer is an offset, the instruction adds the start of the array in constant
 * memory. */
static void write_body(writer *w, const char *at, const char *end,
                       const pm_ptx_parameter *parameters, size_t count)
{
    while (at < end) {
        const char *stop = memchr(at, ';', (size_t)(end - at));
        const char *line = stop ? stop : end;
        char reg[64];

        write_text(w, at, stop ? stop + 1 : end);
        while (stop && line > at && line[-1] != '\n' && line[-1] != '{')
            line--;
        for (size_t i = 0; stop && i < count; i++) {
            const char *base = base_of(w, parameters[i].space);

            if (base && loads_parameter(line, stop, &parameters[i], reg, sizeof reg))
                pm_text_add(&w->text,
                            "\n{ .reg .b64 %%pm_base; mov.u64 %%pm_base, %s; add.s64 %s, %s, "
                            "%%pm_base; }",
                            base, reg, reg);
        }
        at = stop ? stop + 1 : end;
    }
}

static void write_module(writer *w, const char *ptx)
{
    pm_ptx_parameter parameters[PM_PTX_MAX_PARAMETERS];
    const char *at = strstr(ptx, ".address_size"), *name, *head, *next;
    size_t count = 0, length;

    at += strcspn(at, "\n");
    write_text(w, ptx, at);
    pm_text_add(&w->text, "\n.extern .shared .align 16 .b8 " DYNAMIC "[];");
    if (w->constant_bytes > 0)
        pm_text_add(&w->text, "\n.visible .const .align %d .b8 " PM_PTX_CONSTANTS "[%zu];",
                    PM_PTX_CONSTANT_ALIGN, w->constant_bytes);
    head = next_entry(at, &name, &length);
    write_text(w, at, head ? head : at + strlen(at));
    while (head) {
        next = next_entry(head, &name, &length);
        if (!parse_head(head, parameters, &count))
            count = 0;
        write_body(w, head, next ? next : head + strlen(head), parameters, count);
        head = next;
    }
}

static char *blank(char *at, size_t length)
{
    memset(at, ' ', length);
    return at + length;
}

/* Overwrites with blanks the attribute ".ptr SPACE .align N" of a kernel parameter, which starts at
 * `at`. Returns the position after it. */
static char *drop_note(char *at)
{
    at = blank(at, strlen(".ptr"));
    at += strspn(at, " \t");
    if (*at == '.' && strncmp(at, ".align", 6) != 0)
        at = blank(at, 1 + name_length(at + 1));
    at += strspn(at, " \t");
    if (strncmp(at, ".align", 6) == 0) {
        at = blank(at, 6);
        at += strspn(at, " \t");
        at = blank(at, strspn(at, "0123456789"));
    }
    return at;
}

void pm_ptx_drop_pointer_notes(char *ptx)
{
    while ((ptx = strstr(ptx, ".ptr")))
        ptx = drop_note(ptx);
}

/* Removes the .ptr attributes of __constant pointers. Loads through a pointer with this attribute
 * read another constant bank than the one that contains the module's arrays. */
static void drop_constant_notes(char *ptx)
{
    while ((ptx = strstr(ptx, ".ptr"))) {
        const char *space = ptx + strlen(".ptr");

        space += strspn(space, " \t");
        ptx = strncmp(space, ".const", 6) == 0 ? drop_note(ptx) : ptx + 1;
    }
}

bool pm_ptx_constants_are_global(const char *ptx)
{
    static const char target[] = ".target";
    const char *at = strstr(ptx, target);

    at = at ? skip_blanks(at + strlen(target)) : "";
    return strncmp(at, "sm_", 3) == 0 && strtoul(at + 3, NULL, 10) >= GLOBAL_CONSTANTS;
}

char *pm_ptx_for_cuda(const char *ptx, unsigned dimensions, size_t constant_bytes, pm_error *err)
{
    writer w = {.dimensions = dimensions, .constant_bytes = constant_bytes};
    char *text;

    if (!strstr(ptx, ".version") || !strstr(ptx, ".address_size")) {
        pm_fail(err, PM_FAILED, "the binary that OpenCL made is not PTX text; CUDA cannot run it");
        return NULL;
    }
    write_module(&w, ptx);
    if (w.unknown) {
        pm_fail(err, PM_FAILED,
                "the PTX reads %%envreg%u, which CUDA cannot set; change the kernel to not need it",
                w.unknown - 1);
        pm_text_free(&w.text);
        return NULL;
    }
    text = pm_text_take(&w.text);
    if (!text)
        pm_fail(err, PM_FAILED, "out of memory for the PTX");
    else if (constant_bytes > 0)
        drop_constant_notes(text);
    return text;
}
