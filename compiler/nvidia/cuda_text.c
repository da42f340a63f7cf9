/* Makes the text of a CUDA source for NVIDIA's compilers, and reads error messages of these
 * compilers. See cuda_compile.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "compiler/cuda_source/cuda_source.h"
#include "compiler/nvidia/cuda_compile.h"

enum { MOST_PRELUDE = 1 << 20 };

/* Copies a text that was allocated with malloc to `memory`, and frees the original. */
static char *keep(pm_memory *memory, char *text)
{
    size_t size = strlen(text) + 1;
    char *kept = pm_try_take(memory, size, 1);

    if (kept)
        memcpy(kept, text, size);
    free(text);
    if (!kept)
        pm_leave(memory, PM_FAILED, "out of memory for a CUDA source");
    return kept;
}

static const char *path_of(const pm_workload *workload)
{
    return workload->source_path ? workload->source_path : workload->program;
}

char *pm_cuda_text(const pm_workload *workload, pm_memory *memory)
{
    const pm_cuda_request request = {.text = workload->source,
                                     .path = path_of(workload),
                                     .build_options = workload->build_options,
                                     .toolkit = true};
    char prelude[PATH_MAX], *before, *source;

    pm_require(memory, pm_share_path("cuda/compiled.cuh", prelude, sizeof prelude, memory->err));
    pm_require(memory,
               pm_file_read(prelude, MOST_PRELUDE, "what CUDA sources get", &before, memory->err));
    before = keep(memory, before);
    pm_require(memory, pm_cuda_source(&request, &source, memory->err));
    source = keep(memory, source);
    return pm_format(memory, "%s\n#line 1 \"%s\"\n%s", before, path_of(workload), source);
}

/* ---- messages ------------------------------------------------------------------------------ */

static const char *find_in_line(const char *line, const char *text)
{
    return memmem(line, strcspn(line, "\n"), text, strlen(text));
}

/* Finds "error: " or a similar word in a line of a compiler's messages. Returns its start, and sets
 * *message to the text after it. Returns NULL if the line has none. */
static const char *error_in(const char *line, const char **message)
{
    static const char *const kinds[] = {
        "catastrophic error: ", "fatal error: ", "error: ", "error   : ", "fatal   : "};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *at = find_in_line(line, kinds[i]);

        if (at) {
            *message = at + strlen(kinds[i]);
            return at;
        }
    }
    return NULL;
}

/* Returns the start of the decimal number that ends at `end`. */
static const char *number_before(const char *line, const char *end)
{
    while (end > line && isdigit((unsigned char)end[-1]))
        end--;
    return end;
}

/* Converts the location at the start of a compiler's message, "FILE(7): " or "FILE:7:3: ", to
 * "FILE:7: ". If the message has no location, returns the source's path. */
static char *place_of(const char *line, const char *end, const char *source, pm_memory *memory)
{
    const char *number_end = end - line > 4 ? end - 2 : line, *number;
    char before = ':';

    if (number_end > line && number_end[-1] == ')') {
        before = '(';
        number_end--;
    } else if (number_before(line, number_end) > line) {
        /* skips the column, so that `number_end` is the end of the line number */
        number_end = number_before(line, number_end) - 1;
    }
    number = number_before(line, number_end);
    if (number == number_end || number - line < 2 || number[-1] != before)
        return pm_format(memory, "%.200s: ", source);
    if (strncmp(line, PM_CUDA_NAMES "(", strlen(PM_CUDA_NAMES "(")) == 0)
        return pm_format(memory, "%.200s: a launch's kernel, or a symbol: ", source);
    return pm_format(memory, "%.*s:%.*s: ", (int)(number - 1 - line), line,
                     (int)(number_end - number), number);
}

void pm_cuda_tell(pm_memory *memory, const pm_workload *workload, const char *compiler,
                  const char *messages)
{
    const char *line = messages, *message = messages, *at = NULL;
    const char *place = pm_format(memory, "%.200s: ", path_of(workload));
    const char *hint = "", *header;

    while (*line && !(at = error_in(line, &message)))
        line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n');
    if (at)
        place = place_of(line, at, path_of(workload), memory);
    header = find_in_line(message, "open source file \"");
    if (header && pm_cuda_is_toolkit_header(strchr(header, '"') + 1))
        hint = ": install the toolkit's headers (PyPI: nvidia-cuda-runtime, nvidia-cuda-crt, "
               "nvidia-cuda-cccl), or set CUDA_HOME";
    pm_leave(memory, PM_BAD_INPUT, "%s%.*s (%s)%s", place, (int)strcspn(message, "\n"), message,
             compiler, hint);
}
