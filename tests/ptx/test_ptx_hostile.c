/* The PTX front end survives wrong texts: whatever is changed in everything.ptx, it translates the
 * text, or refuses it in one line that names the file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Usage: test_ptx_hostile CASES. The environment variable PERFMODEL_TEST_SEED chooses the changes.
 */
#include <time.h>

#include "compiler/ptx/emit/compile.h"
#include "unit.h"

#define SEED_TEXT PM_SOURCE_DIR "/tests/ptx/everything.ptx"

enum { MOST_BYTES = 1 << 16, MOST_CHANGES = 4, MOST_PIECE = 40 };

static size_t random_below(uint64_t *state, size_t limit)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (size_t)(*state >> 33) % limit;
}

/* Replaces `out` bytes of the text at `at` by `in` bytes of `with`. */
static size_t splice(char *text, size_t length, size_t at, size_t out, const char *with, size_t in)
{
    char piece[MOST_BYTES];

    if (length - out + in >= MOST_BYTES)
        return length;
    memcpy(piece, with, in);
    memmove(text + at + in, text + at + out, length - at - out + 1);
    memcpy(text + at, piece, in);
    return length - out + in;
}

static size_t word_length(const char *at)
{
    return strcspn(at, " \t\n,;");
}

/* Replaces a register, a modifier or a line by another one of the text, or copies a line. The
 * resulting texts often have the right syntax. `first`: the character with which the piece
 * begins. */
static size_t exchange(char *text, size_t length, uint64_t *state, char first)
{
    const char *end = first == '\n' ? "\n" : " \t\n,;.]+|}";
    const char *at = strchr(text + random_below(state, length), first);
    const char *from = strchr(text + random_below(state, length), first);
    const bool keeps = first == '\n' && random_below(state, 2) == 0;

    if (!at || !from || !at[1] || !from[1])
        return length;
    return splice(text, length, (size_t)(at - text), keeps ? 0 : 1 + strcspn(at + 1, end), from,
                  1 + strcspn(from + 1, end));
}

/* Changes a text at a random place. Either changes a character, or removes a piece, or inserts a
 * piece from elsewhere, or replaces a word by another word of the text or by a word of the list. */
static size_t change(char *text, size_t length, uint64_t *state)
{
    static const char *const words[] = {
        "[",       "]",       "{",      "}",       "(",    ")",     ";",         ",",
        "@",       "!",       "|",      "<",       ">",    "-1",    "0",         "99999999999",
        ".pred",   ".b128",   ".f16x2", ".bf16",   ".b8",  ".v4",   ".e4m3x2",   ".param",
        ".shared", "%p1",     "%r1",    "%rd1",    "%f1",  "_",     ".cc",       ".sat",
        ".wide",   ".hi",     "call",   "brx.idx", "/*",   "\"",    ".s16x2",    ".u8",
        ".f64",    ".approx", "LOOP",   "DONE",    "tile", "table", "0f3F800000"};
    const size_t at = random_below(state, length), from = random_below(state, length);
    const size_t piece = random_below(state, MOST_PIECE) + 1;
    const size_t out = piece < length - at ? piece : length - at;
    const size_t in = piece < length - from ? piece : length - from;
    const char *word = words[random_below(state, sizeof words / sizeof *words)];
    const char byte = (char)(random_below(state, 96) + 32);

    switch (random_below(state, 12)) {
    case 0:
        return splice(text, length, at, 1, &byte, 1);
    case 1:
        return splice(text, length, at, out, "", 0);
    case 2:
        return splice(text, length, at, 0, text + from, in);
    case 3:
        return splice(text, length, at, word_length(text + at), text + from,
                      word_length(text + from));
    case 4:
        return splice(text, length, at, word_length(text + at), word, strlen(word));
    case 5:
        return splice(text, length, at, 0, word, strlen(word));
    case 6:
    case 7:
        return exchange(text, length, state, '\n');
    case 8:
    case 9:
        return exchange(text, length, state, '.');
    default:
        return exchange(text, length, state, '%');
    }
}

/* Returns whether a text was translated, or refused as it should be. Counts those that were
 * translated. */
static bool is_sound(const char *text, size_t *translated)
{
    const pm_ptx_request request = {.text = text, .path = "k.ptx"};
    LLVMContextRef context = LLVMContextCreate();
    pm_error err = {0};
    LLVMModuleRef module = pm_ptx_compile(context, &request, &err);

    *translated += module != NULL;
    if (module)
        LLVMDisposeModule(module);
    LLVMContextDispose(context);
    if (module || (err.status == PM_BAD_INPUT && strncmp(err.text, "k.ptx", 5) == 0 &&
                   !strchr(err.text, '\n')))
        return true;
    fprintf(stderr, "status %d: %s\n", (int)err.status, err.text);
    return false;
}

int main(int argc, char **argv)
{
    static char seed_text[MOST_BYTES], text[MOST_BYTES];
    const char *given = getenv("PERFMODEL_TEST_SEED");
    const size_t cases = argc > 1 ? strtoull(argv[1], NULL, 10) : 100;
    const uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    size_t translated = 0;
    FILE *file = fopen(SEED_TEXT, "r");
    const size_t length = file ? fread(seed_text, 1, MOST_BYTES / 2, file) : 0;

    if (file)
        fclose(file);
    printf("seed %llu\n", (unsigned long long)seed);
    fflush(stdout);
    if (length == 0 || !is_sound(seed_text, &translated))
        return 1;
    for (size_t i = 0; i < cases; i++) {
        uint64_t state = seed + i * UINT64_C(0x9e3779b97f4a7c15);
        /* one change in half of the texts, because several seldom leave a sound one */
        size_t changes = i % 2 ? 1 : random_below(&state, MOST_CHANGES) + 1, now = length;

        memcpy(text, seed_text, sizeof text);
        for (; changes > 0 && now > 0; changes--)
            now = change(text, now, &state);
        if (is_sound(text, &translated))
            continue;
        fprintf(stderr, "case %zu of seed %llu; the text:\n%s\n", i, (unsigned long long)seed,
                text);
        return 1;
    }
    printf("%zu of %zu texts were translated\n", translated, cases + 1);
    return 0;
}
