/* Runs ptxas and reads its messages. See ptxas.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The PTX is passed on standard input, and the machine code is discarded, so that no file is
 * written. With -v, ptxas prints these lines for each kernel:
 *
 *     ptxas info    : Compiling entry function 'move' for 'sm_90'
 *     ptxas info    : Function properties for move
 *         0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
 *     ptxas info    : Used 24 registers, used 1 barriers, 400 bytes smem
 */
#include "compiler/nvidia/ptxas.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/subprocess.h"
#include "compiler/nvidia/nvcc.h"

enum {
    OUTPUT_LIMIT = 1 << 22,
    MOST_REGISTERS = 1 << 16,
    LONGEST_NAME = 1024,
    LINE_SHOWN = 300 /* longest part of a ptxas message that is shown, in bytes */
};
static const unsigned long long MOST_BYTES =
    1ULL << 40; /* largest plausible size of stack or shared memory in ptxas's output, in bytes */

/* ---- running ptxas ------------------------------------------------------------------------- */

static pm_status useless(const pm_ptxas *ptxas, const char *why, pm_error *err)
{
    return pm_fail(err, PM_BAD_INPUT,
                   "%.400s: %s; give --ptxas=PATH a ptxas of NVIDIA's CUDA toolkit or of PyPI's "
                   "nvidia-cuda-nvcc, or leave --ptxas out",
                   ptxas->program, why);
}

/* Runs ptxas. Returns PM_OK if it ended with any exit code, and an error if it was killed or could
 * not start. */
static pm_status run(const pm_ptxas *ptxas, char *const *argv, const char *input, size_t bytes,
                     pm_subprocess_result *result, pm_error *err)
{
    const pm_subprocess_request request = {.input = input,
                                           .input_bytes = bytes,
                                           .output_limit = OUTPUT_LIMIT,
                                           .messages_limit = OUTPUT_LIMIT,
                                           .seconds_limit = ptxas->limits.seconds,
                                           .memory_limit = ptxas->limits.memory_bytes,
                                           .cancel = ptxas->limits.cancel};
    int code = pm_subprocess_run(argv, &request, result);
    char why[128];

    if (code != 0)
        return useless(ptxas, strerror(code), err);
    if (result->cancelled)
        return pm_fail(err, PM_FAILED, "interrupted");
    if (result->too_slow)
        snprintf(why, sizeof why, "was ended after %g s", ptxas->limits.seconds);
    else if (result->too_much)
        snprintf(why, sizeof why, "was ended after %d MiB of output", OUTPUT_LIMIT >> 20);
    else if (result->signal)
        snprintf(why, sizeof why, "was ended by signal %d (%s)", result->signal,
                 strsignal(result->signal));
    else
        return PM_OK;
    return useless(ptxas, why, err);
}

/* ---- choosing a ptxas ---------------------------------------------------------------------- */

static void choose(const char *path, pm_ptxas *ptxas)
{
    static const char toolkit[] = "/usr/local/cuda/bin/ptxas";
    const char *chosen = *path ? path : getenv("PERFMODEL_PTXAS");

    if (chosen && *chosen) {
        snprintf(ptxas->program, sizeof ptxas->program, "%s", chosen);
        return;
    }
    if (pm_nvidia_tool("ptxas", ptxas->program) || pm_path_tool("ptxas", ptxas->program))
        return;
    snprintf(ptxas->program, sizeof ptxas->program, "%s",
             access(toolkit, X_OK) == 0 ? toolkit : "ptxas");
}

/* Reads the version (here 12.9.86) from ptxas's output, such as "Cuda compilation tools, release
 * 12.9, V12.9.86". Returns false if it has none. */
static bool read_version(const char *text, char *version, size_t size)
{
    const char *at = strstr(text, "release ");
    size_t length;

    at = at && strstr(text, "ptxas") ? strstr(at, ", V") : NULL;
    length = at ? strspn(at + 3, "0123456789.") : 0;
    if (length == 0 || length > 32)
        return false;
    snprintf(version, size, "ptxas %.*s", (int)length, at + 3);
    return true;
}

pm_status pm_ptxas_find(const char *path, const pm_compiler_limits *limits, pm_ptxas *ptxas,
                        pm_error *err)
{
    char *argv[] = {ptxas->program, (char[]){"--version"}, NULL};
    pm_subprocess_result result;
    pm_status status;

    *ptxas = (pm_ptxas){.limits = *limits};
    if (strlen(path) >= sizeof ptxas->program)
        return pm_fail(err, PM_BAD_INPUT, "--ptxas=%.100s...: too long for a path", path);
    choose(path, ptxas);
    status = run(ptxas, argv, NULL, 0, &result, err);
    if (status == PM_OK && (result.exit_code != 0 ||
                            !read_version(result.output, ptxas->version, sizeof ptxas->version)))
        status = useless(ptxas, "does not answer --version as ptxas does", err);
    pm_subprocess_free(&result);
    return status;
}

/* ---- messages ------------------------------------------------------------------------------ */

typedef struct {
    char *messages; /* messages of ptxas, which are split into lines in place */
    pm_ptxas_kernels *kernels;
    char current[LONGEST_NAME]; /* name of the kernel whose lines are being read; "": none */
    size_t stack, stores, loads;
} reading;

/* Returns the number before a blank and the text `what` in a line, such as 24 before "registers".
 * Returns 0 if there is none. */
static unsigned long long number_before(const char *from, const char *what)
{
    const char *at = strstr(from, what);
    unsigned long long number;
    char *end;

    if (!at)
        return 0;
    while (at > from && at[-1] >= '0' && at[-1] <= '9')
        at--;
    if (at > from && at[-1] != ' ')
        return 0;
    errno = 0;
    number = strtoull(at, &end, 10);
    return errno == 0 && end > at && number <= MOST_BYTES ? number : 0;
}

/* Reads the name of the kernel to which the next lines belong: the text after `what`, up to the
 * next quotation mark. */
static void read_name(reading *r, const char *line, const char *what)
{
    const char *at = strstr(line, what);
    size_t length = at ? strcspn(at += strlen(what), "'") : 0;

    if (!at)
        return;
    r->stack = r->stores = r->loads = 0;
    r->current[0] = '\0';
    if (length > 0 && length < sizeof r->current && at[length] == '\'')
        snprintf(r->current, sizeof r->current, "%.*s", (int)length, at);
}

static void read_line(reading *r, const char *line)
{
    static const char used[] = ": Used ";
    const char *at = strstr(line, used);
    pm_memory *memory = &r->kernels->memory;
    unsigned long long registers;

    read_name(r, line, "Compiling entry function '");
    if (strstr(line, " bytes stack frame")) {
        r->stack = number_before(line, " bytes stack frame");
        r->stores = number_before(line, " bytes spill stores");
        r->loads = number_before(line, " bytes spill loads");
    }
    registers = at ? number_before(at, " registers") : 0;
    if (registers == 0 || registers > MOST_REGISTERS || !r->current[0])
        return;
    *pm_add(memory, r->kernels->kernels, r->kernels->count) =
        (pm_ptxas_kernel){.kernel = pm_copy(memory, r->current),
                          .registers = (unsigned)registers,
                          .shared_bytes = number_before(at, " bytes smem"),
                          .stack_bytes = r->stack,
                          .spill_stores = r->stores,
                          .spill_loads = r->loads};
    r->current[0] = '\0';
}

static void read_lines(void *user)
{
    reading *r = user;
    char *rest = NULL;

    for (char *line = strtok_r(r->messages, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        read_line(r, line);
}

/* Returns the first line of the messages that reports an error. Returns "" if there is none. */
static const char *first_error(char *messages)
{
    char *rest = NULL;

    for (char *line = strtok_r(messages, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        if (strstr(line, "fatal") || strstr(line, "error"))
            return line;
    return "";
}

/* ---- machine code ---------------------------------------------------------------------------- */

/* Opens a file in memory, to which ptxas writes machine code, and writes its path for ptxas.
 * Returns -1 with err on failure. */
static int open_code(char *path, size_t size, pm_error *err)
{
    const int file = memfd_create("code", MFD_CLOEXEC);

    if (file < 0)
        pm_fail(err, PM_FAILED, "memfd_create: %s", strerror(errno));
    else
        snprintf(path, size, "/proc/%ld/fd/%d", (long)getpid(), file);
    return file;
}

static pm_status read_code(int file, const char *subject, pm_machine_code *code, pm_error *err)
{
    const off_t bytes = lseek(file, 0, SEEK_END);

    code->data = bytes > 0 ? malloc((size_t)bytes) : NULL;
    while (code->data && code->bytes < (size_t)bytes) {
        const ssize_t got =
            pread(file, code->data + code->bytes, (size_t)bytes - code->bytes, (off_t)code->bytes);

        if (got <= 0)
            break;
        code->bytes += (size_t)got;
    }
    return code->data && code->bytes == (size_t)bytes
               ? PM_OK
               : pm_fail(err, PM_FAILED, "%s: ptxas wrote no machine code", subject);
}

/* ---- assembling ------------------------------------------------------------------------------ */

static pm_status read_messages(const pm_ptxas *ptxas, const char *subject,
                               const pm_subprocess_result *result, pm_ptxas_kernels *kernels,
                               pm_error *err)
{
    reading r = {.messages = result->messages, .kernels = kernels};
    const char *why;

    if (result->exit_code == 0)
        return pm_attempt(&kernels->memory, read_lines, &r, err);
    why = first_error(result->messages);
    return *why ? pm_fail(err, PM_FAILED, "%s: %s: %.*s", subject, ptxas->version, LINE_SHOWN, why)
                : useless(ptxas, "fails and does not say why", err);
}

pm_status pm_ptxas_run(const pm_ptxas *ptxas, const char *ptx, size_t bytes, const char *chip,
                       const char *subject, pm_machine_code *code, pm_ptxas_kernels *kernels,
                       pm_error *err)
{
    char limit[40], path[64] = "/dev/null";
    const char *argv[10] = {ptxas->program, "-v", "-arch", chip, "/dev/stdin", "-o", path};
    size_t words = 7;
    pm_subprocess_result result;
    pm_status status;
    int file = -1;

    *kernels = (pm_ptxas_kernels){.count = 0};
    if (code) {
        *code = (pm_machine_code){.data = NULL};
        argv[words++] = "-lineinfo";
        file = open_code(path, sizeof path, err);
        if (file < 0)
            return err->status;
    }
    snprintf(limit, sizeof limit, "-maxrregcount=%u", ptxas->register_limit);
    if (ptxas->register_limit > 0)
        argv[words++] = limit;
    status = run(ptxas, (char *const *)(uintptr_t)argv, ptx, bytes, &result, err);
    if (status == PM_OK)
        status = read_messages(ptxas, subject, &result, kernels, err);
    if (status == PM_OK && code)
        status = read_code(file, subject, code, err);
    pm_subprocess_free(&result);
    if (file >= 0)
        close(file);
    return status;
}

pm_status pm_ptxas_try(const pm_ptxas *ptxas, unsigned capability, const char *subject,
                       pm_error *err)
{
    /* Text of an empty program in PTX 5.0 for sm_20, which every ptxas accepts for all later
     * GPUs. */
    static const char empty[] = ".version 5.0\n.target sm_20\n.address_size 64\n";
    char chip[16];
    pm_ptxas_kernels kernels;
    pm_status status;

    snprintf(chip, sizeof chip, "sm_%u", capability);
    status = pm_ptxas_run(ptxas, empty, sizeof empty - 1, chip, subject, NULL, &kernels, err);
    pm_memory_free(&kernels.memory);
    return status;
}
