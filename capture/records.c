/* Reads the records of kernel launches and buffers that the library in a captured program has
 * written. See records.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/records.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "program/confine.h"

enum { MOST_BYTES = 1 << 30, MOST_CONSTANT = 64 << 10 };
/* largest size of a buffer whose contents were not stored, in bytes */
static const uint64_t MOST_BUFFER = (uint64_t)1 << 40;

typedef struct {
    pm_memory *memory;
    pm_captured_process *process;
    const char *path;
    size_t line;
    char *rest; /* rest of the line, after the words that were already read */
} reader;

_Noreturn static void fault(const reader *r)
{
    pm_leave(r->memory, PM_BAD_INPUT,
             "%s:%zu: not a record of a capture; capture the program again into a new folder",
             r->path, r->line);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Returns the next word of the line. NULL at the end of the line. */
static char *word_or_none(reader *r)
{
    char *word = r->rest;

    if (!word || !*word)
        return NULL;
    r->rest = strchr(word, ' ');
    if (r->rest)
        *r->rest++ = '\0';
    return word;
}

static char *word(reader *r)
{
    char *found = word_or_none(r);

    if (!found)
        fault(r);
    return found;
}

static uint64_t number_of(const reader *r, const char *text, char **end)
{
    uint64_t value;

    errno = 0;
    if (*text < '0' || *text > '9')
        fault(r);
    value = strtoull(text, end, 10);
    if (errno != 0)
        fault(r);
    return value;
}

static uint64_t number(reader *r)
{
    char *end;
    uint64_t value = number_of(r, word(r), &end);

    if (*end)
        fault(r);
    return value;
}

static unsigned id(reader *r)
{
    const uint64_t value = number(r);

    if (value > UINT32_MAX)
        fault(r);
    return (unsigned)value;
}

static unsigned digit(const reader *r, char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a' + 10);
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A' + 10);
    fault(r);
}

/* Reads a text, which the record has as one word with special characters encoded as %XX. */
static char *text(reader *r)
{
    char *found = word(r), *to = found;

    if (strcmp(found, "%") == 0)
        found[0] = '\0';
    for (const char *at = found; *at; at++)
        if (*at == '%' && at[1] && at[2]) {
            const unsigned byte = digit(r, at[1]) << 4 | digit(r, at[2]);

            if (byte == 0)
                fault(r);
            *to++ = (char)byte;
            at += 2;
        } else {
            *to++ = *at;
        }
    *to = '\0';
    return found;
}

/* Checks the name of contents, because it becomes a file name. It must be 32 hexadecimal digits, or
 * '=' and up to 32 hexadecimal digits. */
static const char *contents(const reader *r, const char *found)
{
    const char *digits = *found == '=' ? found + 1 : found;
    const size_t length = strspn(digits, "0123456789abcdef");

    if (digits[length] || length > 32 || length % 2 != 0 || length == 0 ||
        (*found != '=' && length != 32))
        fault(r);
    return found;
}

/* Returns the name of contents before a launch, or PM_CAPTURED_ANY if they were not stored. */
static const char *contents_before(const reader *r, const char *found)
{
    return strcmp(found, PM_RECORD_ANY) == 0 ? PM_CAPTURED_ANY : contents(r, found);
}

/* ---- records --------------------------------------------------------------------------------- */

static pm_captured_program *program_of(const reader *r, unsigned wanted)
{
    for (size_t i = r->process->program_count; i-- > 0;)
        if (r->process->programs[i]->id == wanted)
            return r->process->programs[i];
    fault(r);
}

static pm_captured_kernel *kernel_of(const reader *r, unsigned wanted)
{
    for (size_t i = r->process->kernel_count; i-- > 0;)
        if (r->process->kernels[i]->id == wanted)
            return r->process->kernels[i];
    fault(r);
}

static void read_process(reader *r)
{
    if (strcmp(word(r), PM_RECORD_VERSION) != 0)
        pm_leave(r->memory, PM_BAD_INPUT,
                 "%s: records of another version of perfmodel; finish the capture with that one",
                 r->path);
    word(r);
    r->process->place = text(r);
}

static void read_program(reader *r)
{
    pm_captured_program *program = pm_take(r->memory, 1, sizeof *program);

    program->id = id(r);
    program->kind = word(r);
    program->cuda = strcmp(program->kind, "cuda") == 0;
    program->contents = word(r);
    if (strcmp(program->contents, "-") != 0)
        contents(r, program->contents);
    program->options = text(r);
    *pm_add(r->memory, r->process->programs, r->process->program_count) = program;
}

static void read_header(reader *r)
{
    pm_captured_program *program = program_of(r, id(r));
    pm_captured_header *header = pm_add(r->memory, program->headers, program->header_count);

    header->path = pm_captured_path(r->memory, "/", text(r));
    header->contents = contents(r, word(r));
    if (!header->path[0])
        fault(r);
}

/* Reads the description of a kernel parameter in a record: ADDRESS:TYPE:NAME. */
static void read_param(const reader *r, char *found, pm_captured_param *param)
{
    char *type = strchr(found, ':'), *name = type ? strchr(type + 1, ':') : NULL;

    if (!name)
        fault(r);
    *type++ = *name++ = '\0';
    *param = (pm_captured_param){found, type, name};
}

static void read_kernel(reader *r)
{
    pm_captured_kernel *kernel = pm_take(r->memory, 1, sizeof *kernel);

    kernel->id = id(r);
    kernel->program = program_of(r, id(r));
    kernel->name = kernel->symbol = text(r);
    kernel->totals = pm_take(r->memory, PM_LEFT_REASONS, sizeof *kernel->totals);
    while (r->rest && *r->rest) {
        pm_captured_param *param;

        if (kernel->param_count == PM_CAPTURED_MOST_ARGS)
            fault(r);
        param = pm_add(r->memory, kernel->params, kernel->param_count);
        read_param(r, text(r), param);
    }
    *pm_add(r->memory, r->process->kernels, r->process->kernel_count) = kernel;
}

static unsigned read_extent(reader *r, size_t values[3])
{
    const char *at = word(r);

    for (unsigned d = 0; d < 3; d++) {
        char *end;

        values[d] = number_of(r, at, &end);
        if (!*end)
            return d + 1;
        if (*end != ',')
            break;
        at = end + 1;
    }
    fault(r);
}

static void read_value(const reader *r, const char *hex, pm_captured_arg *arg)
{
    unsigned char *value;

    arg->bytes = strlen(hex) / 2;
    value = pm_take(r->memory, arg->bytes + 1, 1);
    for (size_t b = 0; b < arg->bytes; b++)
        value[b] = (unsigned char)(digit(r, hex[2 * b]) << 4 | digit(r, hex[2 * b + 1]));
    arg->value = value;
}

/* Reads the word ID:OFFSET:BYTES:AT:BEFORE:AFTER of a buffer argument. */
static void read_buffer(const reader *r, char *at, pm_captured_arg *arg)
{
    uint64_t numbers[4];
    char *colon;

    for (int n = 0; n < 4; n++) {
        char *end;

        numbers[n] = number_of(r, at, &end);
        if (*end != ':')
            fault(r);
        at = end + 1;
    }
    colon = strchr(at, ':');
    if (!colon || numbers[0] > UINT32_MAX || numbers[2] == 0 || numbers[2] > MOST_BUFFER ||
        numbers[1] > UINT64_MAX - numbers[2] || numbers[3] >= numbers[2])
        fault(r);
    *colon = '\0';
    arg->buffer = (unsigned)numbers[0];
    arg->offset = numbers[1];
    arg->bytes = numbers[2];
    arg->at = numbers[3];
    arg->before = contents_before(r, at);
    if (strcmp(arg->before, PM_CAPTURED_ANY) != 0 && arg->bytes > PM_RECORD_LARGEST)
        fault(r);
    arg->unknown = strcmp(colon + 1, "?") == 0;
    arg->after = arg->unknown || strcmp(colon + 1, "-") == 0 ? NULL : contents(r, colon + 1);
}

static void read_arg(const reader *r, char *found, pm_captured_arg *arg)
{
    char *value = strchr(found, ':'), *end;

    if (!value)
        fault(r);
    *value++ = '\0';
    if (strcmp(found, "value") == 0) {
        arg->kind = PM_CAPTURED_VALUE;
        read_value(r, value, arg);
    } else if (strcmp(found, "local") == 0) {
        arg->kind = PM_CAPTURED_LOCAL;
        arg->bytes = number_of(r, value, &end);
    } else if (strcmp(found, "buffer") == 0) {
        arg->kind = PM_CAPTURED_BUFFER;
        read_buffer(r, value, arg);
    } else {
        fault(r);
    }
}

/* Reads ID:ADDRESS:BYTES:BEFORE:AFTER of memory with an address. */
static void read_memory(const reader *r, char *at, pm_captured_memory *memory)
{
    uint64_t numbers[3];
    char *colon;

    for (int n = 0; n < 3; n++) {
        char *end;

        numbers[n] = number_of(r, at, &end);
        if (*end != ':')
            fault(r);
        at = end + 1;
    }
    colon = strchr(at, ':');
    if (!colon || numbers[0] > UINT32_MAX || numbers[2] == 0 || numbers[2] > MOST_BUFFER ||
        numbers[1] > UINT64_MAX - numbers[2])
        fault(r);
    *colon = '\0';
    *memory =
        (pm_captured_memory){.id = (unsigned)numbers[0],
                             .address = numbers[1],
                             .bytes = numbers[2],
                             .before = contents_before(r, at),
                             .after = strcmp(colon + 1, "-") == 0 ? NULL : contents(r, colon + 1)};
}

/* Reads a word that is not an argument of the launch but follows the arguments: shared:BYTES, or
 * symbol:NAME:BYTES:BEFORE for a __constant__ variable. False if it is another word. */
static bool read_beside(const reader *r, char *found, pm_captured_launch *launch)
{
    char *rest = strchr(found, ':'), *end;
    pm_captured_symbol *symbol;

    if (strncmp(found, "shared:", 7) == 0) {
        launch->shared = number_of(r, rest + 1, &end);
        if (*end)
            fault(r);
        return true;
    }
    if (strncmp(found, "memory:", 7) == 0) {
        read_memory(r, rest + 1, pm_add(r->memory, launch->memories, launch->memory_count));
        return true;
    }
    if (strncmp(found, "symbol:", 7) != 0)
        return false;
    symbol = pm_add(r->memory, launch->variables, launch->variable_count);
    symbol->name = rest + 1;
    rest = strchr(rest + 1, ':');
    if (!rest)
        fault(r);
    *rest = '\0';
    symbol->bytes = number_of(r, rest + 1, &end);
    if (*end != ':' || symbol->bytes == 0 || symbol->bytes > MOST_CONSTANT)
        fault(r);
    symbol->contents = contents(r, end + 1);
    return true;
}

static void read_launch(reader *r)
{
    pm_captured_launch *launch = pm_add(r->memory, r->process->launches, r->process->launch_count);
    char *found;

    launch->number = number(r);
    launch->kernel = kernel_of(r, id(r));
    launch->ns = number(r);
    launch->dimensions = read_extent(r, launch->global);
    if (read_extent(r, launch->local) != launch->dimensions ||
        read_extent(r, launch->offset) != launch->dimensions)
        fault(r);
    while ((found = word_or_none(r))) {
        if (read_beside(r, found, launch))
            continue;
        if (launch->arg_count == PM_CAPTURED_MOST_ARGS)
            fault(r);
        read_arg(r, found, pm_add(r->memory, launch->args, launch->arg_count));
    }
}

static void read_drop(reader *r)
{
    const uint64_t wanted = number(r);

    for (size_t i = 0; i < r->process->launch_count; i++)
        if (r->process->launches[i].number == wanted) {
            r->process->launches[i].dropped = true;
            return;
        }
    fault(r);
}

static void read_total(reader *r)
{
    static const char *const words[] = PM_LEFT_WORDS;
    pm_captured_kernel *kernel = kernel_of(r, id(r));
    const char *reason = word(r);
    size_t i = 0;

    while (i < PM_LEFT_REASONS && strcmp(words[i], reason) != 0)
        i++;
    if (i == PM_LEFT_REASONS)
        fault(r);
    kernel->totals[i].launches = number(r);
    kernel->totals[i].ns = number(r);
    kernel->totals[i].untimed = number(r);
}

static void read_image(reader *r)
{
    pm_captured_kernel *kernel = kernel_of(r, id(r));

    kernel->image = contents(r, word(r));
}

static void read_module(reader *r)
{
    pm_captured_module *module = pm_add(r->memory, r->process->modules, r->process->module_count);

    module->kind = text(r);
    module->contents = contents(r, word(r));
    if (strcmp(module->kind, "ptx") != 0 && strcmp(module->kind, "cubin") != 0 &&
        strcmp(module->kind, "fatbin") != 0)
        fault(r);
}

static void read_device(reader *r)
{
    r->process->device = text(r);
    if (r->rest && *r->rest)
        r->process->arch = id(r);
}

static void read_end(reader *r)
{
    r->process->ended = true;
}

static const struct {
    const char *name;
    void (*read)(reader *r);
} records[] = {{"process", read_process}, {"program", read_program}, {"header", read_header},
               {"kernel", read_kernel},   {"device", read_device},   {"launch", read_launch},
               {"drop", read_drop},       {"total", read_total},     {"end", read_end},
               {"module", read_module},   {"image", read_image}};

static void read_line(reader *r, char *line)
{
    const char *name;

    r->line++;
    r->rest = line;
    name = word(r);
    /* The first record must be "process", which has the version of the records and the working
     * folder. */
    if (!r->process->place && strcmp(name, "process") != 0)
        fault(r);
    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        if (strcmp(records[i].name, name) == 0) {
            records[i].read(r);
            return;
        }
    fault(r);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void read_journal(pm_memory *memory, pm_captured_process *process, char *lines,
                         const char *path)
{
    reader r = {.memory = memory, .process = process, .path = path};

    for (char *end; (end = strchr(lines, '\n')) != NULL; lines = end + 1) {
        *end = '\0';
        read_line(&r, lines);
    }
}

static int by_number(const struct dirent **a, const struct dirent **b)
{
    const unsigned long long left = strtoull((*a)->d_name, NULL, 10);
    const unsigned long long right = strtoull((*b)->d_name, NULL, 10);

    return left < right ? -1 : left > right;
}

/* Returns true for the name of a process's folder: PID, or PID-cuda for its CUDA records. */
static int is_process(const struct dirent *entry)
{
    const char *ending = entry->d_name + strspn(entry->d_name, "0123456789");

    return ending > entry->d_name && (!*ending || strcmp(ending, "-cuda") == 0);
}

static void read_folder(pm_memory *memory, const char *folder, const char *name,
                        pm_captured *captured)
{
    pm_captured_process *process = pm_add(memory, captured->processes, captured->count);
    const char *path = pm_format(memory, "%s/%s/journal", folder, name);
    char *all, *lines;

    process->folder = pm_format(memory, "%s/%s", folder, name);
    if (!pm_confine_holds(folder, path))
        pm_leave(memory, PM_BAD_INPUT,
                 "%s: leads out of the capture; capture the program again into a new folder", path);
    pm_require(memory, pm_file_read(path, MOST_BYTES, "records", &all, memory->err));
    lines = pm_copy(memory, all);
    free(all);
    read_journal(memory, process, lines, path);
}

void pm_captured_read(pm_memory *memory, const char *folder, pm_captured *captured)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_process, by_number);
    char **names = count > 0 ? pm_try_take(memory, (size_t)count, sizeof *names) : NULL;

    *captured = (pm_captured){0};
    for (int i = 0; i < count; i++) {
        if (names)
            names[i] = pm_try_take(memory, strlen(entries[i]->d_name) + 1, 1);
        if (names && names[i])
            strcpy(names[i], entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    for (int i = 0; i < count; i++) {
        if (!names || !names[i])
            pm_leave(memory, PM_FAILED, "out of memory");
        read_folder(memory, folder, names[i], captured);
    }
}
