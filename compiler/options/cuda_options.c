/* Translates nvcc's options to arguments of clang, NVRTC and nvcc. See cuda_options.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/options/cuda_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "program/build_words.h"

typedef enum {
    EFFECT_NONE,      /* the option affects only host code, the choice of the GPU, or nvcc itself */
    EFFECT_USUAL,     /* the option asks for something that is already the default */
    EFFECT_REGISTERS, /* the option limits the registers of a kernel (pm_register_option) */
    EFFECT_FAST,      /* --use_fast_math: fast but less exact functions */
    EFFECT_ROUNDING,  /* -ftz, -fmad, -prec-sqrt: rounding of device code */
    EFFECT_DIVISION,  /* -prec-div: rounding of divisions, which only NVIDIA's compilers support */
    EFFECT_RESTRICT,  /* --restrict: kernel pointers do not overlap (pm_restrict_option) */
    /* --leave-out-missing, perfmodel's own option: headers that are missing are left out
     * (pm_lenient_option) */
    EFFECT_LENIENT,
    EFFECT_STANDARD,
    EFFECT_FOLDER /* -isystem: folder with headers */
} effect;

/* A row of the table of nvcc's options. A name that ends in "*" matches all names that start with
 * the text before the "*". */
typedef struct {
    const char *name; /* name without leading dashes, because nvcc accepts one or two */
    bool takes;       /* true: the option has a value, after = or as the next word */
    effect effect;
} row;

static const row rows[] = {{"maxrregcount", true, EFFECT_REGISTERS},
                           {"use_fast_math", false, EFFECT_FAST},
                           {"ftz", true, EFFECT_ROUNDING},
                           {"fmad", true, EFFECT_ROUNDING},
                           {"prec-div", true, EFFECT_DIVISION},
                           {"prec-sqrt", true, EFFECT_ROUNDING},
                           {"std", true, EFFECT_STANDARD},
                           {"isystem", true, EFFECT_FOLDER},
                           {"system-include", true, EFFECT_FOLDER},
                           {"arch", true, EFFECT_NONE},
                           {"gpu-architecture", true, EFFECT_NONE},
                           {"code", true, EFFECT_NONE},
                           {"gpu-code", true, EFFECT_NONE},
                           {"gencode", true, EFFECT_NONE},
                           {"generate-code", true, EFFECT_NONE},
                           {"Xcompiler", true, EFFECT_NONE},
                           {"compiler-options", true, EFFECT_NONE},
                           {"Xptxas", true, EFFECT_NONE},
                           {"ptxas-options", true, EFFECT_NONE},
                           {"Xlinker", true, EFFECT_NONE},
                           {"linker-options", true, EFFECT_NONE},
                           {"Xnvlink", true, EFFECT_NONE},
                           {"nvlink-options", true, EFFECT_NONE},
                           {"Xcudafe", true, EFFECT_NONE},
                           {"ccbin", true, EFFECT_NONE},
                           {"compiler-bindir", true, EFFECT_NONE},
                           {"allow-unsupported-compiler", false, EFFECT_NONE},
                           {"o", true, EFFECT_NONE},
                           {"output-file", true, EFFECT_NONE},
                           {"x", true, EFFECT_NONE},
                           {"t", true, EFFECT_NONE},
                           {"threads", true, EFFECT_NONE},
                           {"split-compile", true, EFFECT_NONE},
                           {"rdc", true, EFFECT_NONE},
                           {"relocatable-device-code", true, EFFECT_NONE},
                           {"cudart", true, EFFECT_NONE},
                           {"default-stream", true, EFFECT_NONE},
                           {"diag-suppress", true, EFFECT_NONE},
                           {"diag-error", true, EFFECT_NONE},
                           {"diag-warn", true, EFFECT_NONE},
                           {"optimize", true, EFFECT_USUAL},
                           {"O*", false, EFFECT_USUAL},
                           {"lineinfo", false, EFFECT_USUAL},
                           {"generate-line-info", false, EFFECT_USUAL},
                           {"source-in-ptx", false, EFFECT_NONE},
                           {"expt-*", false, EFFECT_NONE},
                           {"extended-lambda", false, EFFECT_NONE},
                           {"dlto", false, EFFECT_NONE},
                           {"dlink-time-opt", false, EFFECT_NONE},
                           {"extra-device-vectorization", false, EFFECT_NONE},
                           {"restrict", false, EFFECT_RESTRICT},
                           {"leave-out-missing", false, EFFECT_LENIENT},
                           {"m64", false, EFFECT_USUAL},
                           {"c", false, EFFECT_NONE},
                           {"dc", false, EFFECT_NONE},
                           {"device-c", false, EFFECT_NONE},
                           {"compile", false, EFFECT_NONE},
                           {"ptx", false, EFFECT_NONE},
                           {"cubin", false, EFFECT_NONE},
                           {"shared", false, EFFECT_NONE},
                           {"keep", false, EFFECT_NONE},
                           {"v", false, EFFECT_NONE},
                           {"verbose", false, EFFECT_NONE},
                           {"res-usage", false, EFFECT_NONE},
                           {"resource-usage", false, EFFECT_NONE},
                           {"disable-warnings", false, EFFECT_NONE},
                           {"w", false, EFFECT_NONE},
                           {"W*", false, EFFECT_NONE},
                           {"g", false, EFFECT_NONE},
                           {"debug", false, EFFECT_NONE},
                           {"G", false, EFFECT_NONE},
                           {"device-debug", false, EFFECT_NONE},
                           {"M*", false, EFFECT_NONE},
                           {"l*", false, EFFECT_NONE},
                           {"L*", false, EFFECT_NONE}};

/* An option that the user gave, with its row of the table. `value` is "" if the option has no
 * value. */
typedef struct {
    const char *word; /* the word that the user wrote, with its dashes */
    const row *row;   /* the option's row in the table of options; NULL: unknown option */
    const char *value;
} option;

/* Returns the row for an option's name in the table of nvcc's options. length: length of `name`, in
 * bytes. Returns NULL if the table does not have the option. */
static const row *find_row(const char *name, size_t length)
{
    const row *start = NULL;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t own = strlen(rows[i].name);
        const bool is_start = rows[i].name[own - 1] == '*';

        if (!is_start && own == length && strncmp(name, rows[i].name, own) == 0)
            return &rows[i];
        if (is_start && length >= own - 1 && strncmp(name, rows[i].name, own - 1) == 0)
            start = &rows[i];
    }
    return start;
}

static option read_option(const char *word)
{
    const char *name = word + strspn(word, "-");
    const size_t dashes = (size_t)(name - word), length = strcspn(name, "=");
    option found = {.word = word,
                    .row = dashes == 1 || dashes == 2 ? find_row(name, length) : NULL,
                    .value = ""};

    if (found.row && found.row->takes && name[length] == '=')
        found.value = name + length + 1;
    return found;
}

/* ---- translation ---------------------------------------------------------------------------- */

typedef struct {
    pm_arguments *arguments;
    /* true: the arguments are for NVIDIA's compilers; false: they are for clang */
    bool nvcc;
    pm_arguments unused; /* options without an effect */
} reading;

/* Adds clang's arguments for --use_fast_math. The option flushes denormal numbers to 0, does not
 * round divisions and square roots as IEEE 754 requires, and replaces functions by the GPU's
 * approximations (compiler/cuda/math.cuh). */
static void add_fast_math(pm_arguments *arguments)
{
    pm_arguments_add(arguments, "-ffast-math");
    pm_arguments_add(arguments, "-fcuda-flush-denormals-to-zero");
    pm_arguments_add(arguments, "-DPM_FAST_MATH=1");
}

static void add_rounding(const option *o, pm_arguments *arguments)
{
    const bool on = strcmp(o->value, "true") == 0;

    if (strcmp(o->row->name, "ftz") == 0 && on)
        pm_arguments_add(arguments, "-fcuda-flush-denormals-to-zero");
    else if (strcmp(o->row->name, "fmad") == 0)
        pm_arguments_add(arguments, on ? "-ffp-contract=fast" : "-ffp-contract=off");
    else if (strcmp(o->row->name, "prec-sqrt") == 0 && !on)
        pm_arguments_add(arguments, "-DPM_FAST_ROOT=1");
}

static void add_pair(pm_arguments *arguments, const char *start, const char *value)
{
    char joined[4096];

    if ((size_t)snprintf(joined, sizeof joined, "%s%s", start, value) < sizeof joined)
        pm_arguments_add(arguments, joined);
    else
        arguments->failed = true;
}

static void add_unused(reading *r, const option *o)
{
    char joined[256];

    snprintf(joined, sizeof joined, "%s%s%s", o->word,
             *o->value && !strchr(o->word, '=') ? " " : "", strchr(o->word, '=') ? "" : o->value);
    pm_arguments_add(&r->unused, joined);
}

static void add_known(reading *r, const option *o)
{
    if (o->row->effect == EFFECT_USUAL || o->row->effect == EFFECT_LENIENT)
        return;
    if (o->row->effect == EFFECT_NONE || (o->row->effect == EFFECT_DIVISION && !r->nvcc))
        add_unused(r, o);
    else if (o->row->effect == EFFECT_FOLDER)
        add_pair(r->arguments, "-I", o->value);
    else if (o->row->effect == EFFECT_STANDARD && strncmp(o->value, "gnu++", 5) == 0)
        add_pair(r->arguments, "-std=c++", o->value + 5);
    else if (o->row->effect == EFFECT_STANDARD)
        add_pair(r->arguments, "-std=", o->value);
    else if (r->nvcc && (o->row->effect == EFFECT_FAST || o->row->effect == EFFECT_RESTRICT))
        pm_arguments_add(r->arguments, o->word);
    else if (r->nvcc) {
        char start[64];

        snprintf(start, sizeof start, "-%s=", o->row->name);
        add_pair(r->arguments, start, o->value);
    } else if (o->row->effect == EFFECT_FAST)
        add_fast_math(r->arguments);
    else if (o->row->effect == EFFECT_ROUNDING)
        add_rounding(o, r->arguments);
}

/* ---- reading options ------------------------------------------------------------------------ */

static pm_status check_value(const option *o, pm_error *err)
{
    if (o->row->effect == EFFECT_REGISTERS && pm_register_option_of(o->value) == 0)
        return pm_fail(err, PM_BAD_INPUT,
                       "build option %s: a number of registers has to follow, as in "
                       "-maxrregcount=32",
                       o->word);
    if ((o->row->effect == EFFECT_ROUNDING || o->row->effect == EFFECT_DIVISION) &&
        strcmp(o->value, "true") != 0 && strcmp(o->value, "false") != 0)
        return pm_fail(err, PM_BAD_INPUT, "build option %s: its value is true or false", o->word);
    return PM_OK;
}

/* Translates one build option of nvcc for the compiler, and appends the result to the arguments.
 * word: the option. next: buffer for the option's value, if the value is the next word. */
static pm_status add_option(reading *r, const pm_build_word *found, const char *word,
                            const char **text, char *next, pm_error *err)
{
    option o = read_option(word);
    pm_build_word value;

    if (found->kind == PM_WORD_TORN)
        return pm_fail(err, PM_BAD_INPUT, "build option %s: nothing follows it", word);
    if (found->kind == PM_WORD_DEFINE || found->kind == PM_WORD_FOLDER) {
        pm_arguments_add(r->arguments, word);
        return PM_OK;
    }
    if (found->kind == PM_WORD_FILE) /* files of -include are handled by pm_cuda_source */
        return PM_OK;
    if (!o.row)
        return pm_fail(err, PM_BAD_INPUT,
                       "build option %s: not an option of nvcc that perfmodel knows; leave it out "
                       "(-D, -U, -I, -std=, -maxrregcount=, --use_fast_math, -ftz=, -fmad= "
                       "and -prec-sqrt= change what is predicted; -O3, -arch=, "
                       "-lineinfo, -Xcompiler and their like are taken and change nothing)",
                       word);
    if (o.row->takes && !strchr(word, '=')) {
        if (!pm_build_word_next(text, next, &value))
            return pm_fail(err, PM_BAD_INPUT, "build option %s: nothing follows it", word);
        o.value = next;
    }
    if (check_value(&o, err) != PM_OK)
        return err ? err->status : PM_BAD_INPUT;
    add_known(r, &o);
    return PM_OK;
}

/* Logs one notice that lists all options without effect, unless the same notice was logged
 * before. */
static void tell_unused(const pm_arguments *unused, pm_once *once, const pm_log *log)
{
    char list[900] = "";
    size_t used = 0;

    for (size_t i = 0; i < unused->count && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "",
                                 unused->items[i]);
    if (unused->count > 0 && once && log)
        pm_once_notice(once, log, "build option%s without effect here: %s",
                       unused->count > 1 ? "s" : "", list);
}

static pm_status add_options(const char *options, reading *r, pm_once *once, const pm_log *log,
                             pm_error *err)
{
    const char *text = options ? options : "";
    const size_t room = strlen(text) + 1;
    char *word = malloc(2 * room);
    pm_build_word found;
    pm_status status = PM_OK;

    if (!word)
        return pm_fail(err, PM_FAILED, "out of memory for build options");
    while (status == PM_OK && pm_build_word_next(&text, word, &found))
        status = add_option(r, &found, word, &text, word + room, err);
    if (status == PM_OK)
        tell_unused(&r->unused, once, log);
    r->arguments->failed = r->arguments->failed || r->unused.failed;
    pm_arguments_free(&r->unused);
    free(word);
    return status;
}

pm_status pm_cuda_options(const char *options, pm_arguments *arguments, pm_once *once,
                          const pm_log *log, pm_error *err)
{
    reading r = {.arguments = arguments};

    pm_arguments_add(arguments, "-std=c++17");
    return add_options(options, &r, once, log, err);
}

pm_status pm_nvcc_options(const char *options, pm_arguments *arguments, pm_error *err)
{
    reading r = {.arguments = arguments, .nvcc = true};
    pm_status status = add_options(options, &r, NULL, NULL, err);

    for (size_t i = 0; i < arguments->count; i++)
        if (strncmp(arguments->items[i], "-std=", 5) == 0)
            return status;
    /* the default is added only if the user's options have no -std, because NVRTC accepts -std only
     * once */
    pm_arguments_add(arguments, "-std=c++17");
    return status;
}
