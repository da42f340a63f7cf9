/* Makes the build options with which CUDA sources are compiled for GPUs of other makers than
 * NVIDIA, such as AMD. AMD's HIP accepts the text of CUDA sources, but warps may have 64 threads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/strings.h"
#include "collector/worker/trace_parts.h"
#include "compiler/language.h"

enum { CUDA_WARP = 32 };

static bool is_wide(const trace_executor *self)
{
    return self->gpu.warp_width > CUDA_WARP;
}

/* Returns whether the GPU is AMD's: only AMD's GPUs have a scalar cache. */
static bool is_amd(const trace_executor *self)
{
    return self->gpu.scalar_bytes > 0;
}

/* Returns the line in which the identifier `word` first appears in the text; 0: it does not
 * appear. */
static unsigned line_of(const char *text, const char *word)
{
    const size_t length = strlen(word);
    unsigned line = 1;

    for (const char *at = text; *at; at++) {
        if (strncmp(at, word, length) == 0 && !pm_is_word(at[length]) &&
            (at == text || !pm_is_word(at[-1])))
            return line;
        line += *at == '\n';
    }
    return 0;
}

/* Logs a notice for each CUDA warp function in the source that uses masks of 32 bits, because these
 * are too small for warps of 64 threads. */
static void tell_masks(const trace_executor *self)
{
    static const char *const words[] = {"__ballot_sync", "__activemask", "__match_any_sync",
                                        "__match_all_sync"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const unsigned line = line_of(self->workload->source, words[i]);

        if (line > 0)
            pm_notice(&self->base.log,
                      "%s:%u: %s needs warps of 32 threads, and those of %s have %u: counted as "
                      "two halves; a port needs masks of 64 bits",
                      self->workload->source_path, line, words[i], self->gpu.device,
                      self->gpu.warp_width);
    }
}

char *pm_trace_hip_options(const trace_executor *self)
{
    const char *given = self->workload->build_options, *platform = "";
    char width[32] = "", *options;

    if (pm_is_hip(self->workload->source_path))
        platform = is_amd(self) ? "-D__HIPCC__=1 -D__HIP_PLATFORM_AMD__=1"
                                : "-D__HIPCC__=1 -D__HIP_PLATFORM_NVIDIA__=1";
    if (is_wide(self)) {
        snprintf(width, sizeof width, " -DPM_WARP=%u", self->gpu.warp_width);
        tell_masks(self);
    }
    if (!*platform && !*width)
        return NULL;
    return asprintf(&options, "%s%s %s", platform, width, given ? given : "") < 0 ? NULL : options;
}

bool pm_trace_compiles_alike(const trace_executor *one, const trace_executor *other)
{
    const char *path = other->ahead ? other->ahead->source_path : NULL;

    return pm_language_of(path) != PM_LANGUAGE_CUDA ||
           (is_wide(one) == is_wide(other) && (!pm_is_hip(path) || is_amd(one) == is_amd(other)));
}
