/* Finds the host code in a CUDA source, and replaces it by blanks. See host_code.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Host code uses libraries that may be missing, so it cannot be parsed. A declaration is host code
 * if it contains no word such as __device__, and no macro whose definition contains one.
 */
#include "compiler/cuda_source/host_code.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "compiler/cuda_source/code_text.h"

enum { MOST_MACROS = 256, MOST_CONDITIONS = 64 };

typedef struct {
    char *text, *at;
    /* names of macros whose definitions contain keywords of device code, such as __device__ */
    pm_code_word macros[MOST_MACROS];
    size_t macro_count;
} scanner;

static bool starts_word(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static bool is_device_word(const scanner *s, pm_code_word w)
{
    static const char *const words[] = {"__global__",   "__device__",  "__shared__",
                                        "__constant__", "__managed__", NULL};

    for (size_t i = 0; i < s->macro_count; i++)
        if (s->macros[i].length == w.length && memcmp(s->macros[i].begin, w.begin, w.length) == 0)
            return true;
    return pm_word_is_one_of(w, words);
}

/* ---- tokens -------------------------------------------------------------------------------- */

/* Reads a directive #define NAME .... If the definition contains a keyword such as __device__, adds
 * NAME to s->macros. */
static void note_macro(scanner *s, const char *hash, const char *end)
{
    pm_code_word define = pm_directive_at(hash), name;
    const char *at = define.begin + define.length;

    if (!pm_word_is(define, "define") || s->macro_count == MOST_MACROS)
        return;
    name = pm_word_at(at + strspn(at, " \t"));
    for (at = name.begin + name.length; at < end;) {
        pm_code_word w = pm_word_at(at);

        if (w.length > 0 && is_device_word(s, w)) {
            s->macros[s->macro_count++] = name;
            return;
        }
        at += w.length ? w.length : 1;
    }
}

/* Moves to the next token outside of comments and directives. Calls `directive` (if it is not NULL)
 * for each directive on the way. Returns false at the end of the text. */
static bool next(scanner *s, void (*directive)(void *user, pm_code_word name), void *user)
{
    for (;;) {
        s->at += strspn(s->at, " \t\r\n\v\f\\");
        if (s->at[0] == '/' && s->at[1] == '/') {
            s->at = pm_end_of_line(s->at);
        } else if (s->at[0] == '/' && s->at[1] == '*') {
            s->at = pm_end_of_comment(s->at);
        } else if (*s->at == '#' && pm_starts_line(s->text, s->at)) {
            char *end = pm_end_of_line(s->at);

            note_macro(s, s->at, end);
            if (directive)
                directive(user, pm_directive_at(s->at));
            s->at = end;
        } else {
            return *s->at != '\0';
        }
    }
}

/* ---- bodies -------------------------------------------------------------------------------- */

/* State while the text between { and } is read. depth: number of open braces. conditions: number of
 * open #if. at_condition[i]: depth at the start of the i-th open #if; the depth returns to it at
 * #else, because both branches of an #if may open the same brace. */
typedef struct {
    long depth, at_condition[MOST_CONDITIONS];
    size_t conditions;
    bool device;
    /* true: the code uses the C++ standard library or virtual functions, which device code cannot
     * use */
    bool library;
    bool constant; /* true: the code has constexpr, so device code may use it */
} body;

static void see_condition(void *user, pm_code_word directive)
{
    body *b = user;

    if (directive.length >= 2 && memcmp(directive.begin, "if", 2) == 0) {
        if (b->conditions < MOST_CONDITIONS)
            b->at_condition[b->conditions] = b->depth;
        b->conditions++;
    } else if (pm_word_is(directive, "else") || pm_word_is(directive, "elif")) {
        if (b->conditions > 0 && b->conditions <= MOST_CONDITIONS)
            b->depth = b->at_condition[b->conditions - 1];
    } else if (pm_word_is(directive, "endif") && b->conditions > 0) {
        b->conditions--;
    }
}

/* Returns whether a name of the namespace std is a type trait, such as is_same or remove_cv_t.
 * perfmodel's own header for CUDA sources (the prelude) defines type traits. */
static bool is_trait(pm_code_word name)
{
    static const char *const begins[] = {"is_", "remove_", "make_signed", "make_unsigned"};

    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(name.begin, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

/* Returns whether the text at `at` is a name of the C++ standard library, such as std::vector, that
 * perfmodel's own header for CUDA sources (the prelude) does not define. */
static bool is_library(const char *at)
{
    static const char *const known[] = {"abs",
                                        "bool_constant",
                                        "ceil",
                                        "conditional",
                                        "conditional_t",
                                        "cos",
                                        "decay",
                                        "decay_t",
                                        "enable_if",
                                        "enable_if_t",
                                        "exp",
                                        "fabs",
                                        "false_type",
                                        "floor",
                                        "forward",
                                        "int16_t",
                                        "int32_t",
                                        "int64_t",
                                        "int8_t",
                                        "integral_constant",
                                        "log",
                                        "max",
                                        "min",
                                        "move",
                                        "numeric_limits",
                                        "pow",
                                        "ptrdiff_t",
                                        "sin",
                                        "size_t",
                                        "sqrt",
                                        "swap",
                                        "true_type",
                                        "uint16_t",
                                        "uint32_t",
                                        "uint64_t",
                                        "uint8_t",
                                        NULL};
    pm_code_word name;

    at += strspn(at, " \t");
    if (at[0] != ':' || at[1] != ':')
        return false;
    at += 2;
    name = pm_word_at(at + strspn(at, " \t"));
    return !pm_word_is_one_of(name, known) && !is_trait(name);
}

/* Moves from an opening brace to the position after its closing brace. */
static void skip_body(scanner *s, body *b)
{
    while (next(s, see_condition, b)) {
        char *end = pm_end_of_token(s->at);
        pm_code_word w = starts_word(*s->at) ? pm_word_at(s->at) : (pm_code_word){"", 0};

        b->depth += (*s->at == '{') - (*s->at == '}');
        b->device = b->device || (w.length > 0 && is_device_word(s, w));
        b->constant = b->constant || pm_word_is(w, "constexpr");
        b->library =
            b->library || pm_word_is(w, "virtual") || (pm_word_is(w, "std") && is_library(end));
        s->at = end;
        if (b->depth <= 0)
            return;
    }
}

/* State while the declaration of a class member is read token by token, to decide whether device
 * code may use the member. */
typedef struct {
    char *begin;
    bool keeps; /* true: device code may use the member, so it is not overwritten with blanks */
    bool is_friend;
    /* has_round: true if the member has parentheses. ends_head: true if a { after the last token
     * would start a function's body, as after ')' and `const`. */
    bool has_round, ends_head;
    bool is_access; /* true: the tokens are public:, private: or protected: */
} member;

static void see_member_word(const scanner *s, member *m, pm_code_word w)
{
    static const char *const behind[] = {"const", "noexcept", "override", NULL};
    static const char *const access[] = {"public", "protected", "private", NULL};

    m->keeps = m->keeps || is_device_word(s, w) || pm_word_is(w, "constexpr");
    m->is_friend = m->is_friend || pm_word_is(w, "friend");
    m->ends_head = m->ends_head && pm_word_is_one_of(w, behind);
    m->is_access = pm_word_is_one_of(w, access);
}

/* Overwrites with blanks the bodies of host functions in a class. `begin` is the class's {, and
 * s->at is after its }. If a host function is a friend of the class, its whole declaration is
 * overwritten. */
static void blank_functions(scanner *s, char *begin)
{
    char *const end = s->at;
    member m = {NULL};

    s->at = begin + 1;
    while (next(s, NULL, NULL) && s->at < end) {
        char *at = s->at;
        const char c = *at;
        const pm_code_word w = starts_word(c) ? pm_word_at(at) : (pm_code_word){"", 0};
        body b = {.depth = 0};
        const bool is_body = c == '{' && m.ends_head;

        m.begin = m.begin ? m.begin : at;
        if (is_body)
            skip_body(s, &b);
        else
            s->at = pm_end_of_token(at);
        if (!m.keeps && is_body)
            pm_code_blank(s->text, at + 1, s->at - 1);
        if (!m.keeps && m.is_friend && (is_body || (c == ';' && m.has_round)))
            pm_code_blank(s->text, m.begin, s->at);
        m.has_round = m.has_round || c == '(';
        if (w.length > 0)
            see_member_word(s, &m, w);
        else
            m.ends_head = c == ')';
        if (is_body || c == ';' || (c == ':' && m.is_access))
            m = (member){NULL};
    }
    s->at = end;
}

/* Moves s->at to the position after the > that closes template <...>. */
static void skip_angles(scanner *s)
{
    long depth = 0, round = 0;

    while (next(s, NULL, NULL)) {
        round += (*s->at == '(') - (*s->at == ')');
        if (round == 0)
            depth += (*s->at == '<') - (*s->at == '>');
        s->at = pm_end_of_token(s->at);
        if (depth <= 0)
            return;
    }
}

/* ---- declarations -------------------------------------------------------------------------- */

/* State while a declaration at file scope is read token by token, to decide whether it is host
 * code. */
typedef struct {
    char *begin; /* start of the declaration; NULL before its first token */
    size_t tokens;
    long round; /* number of open ( and [ at the token that is being read */
    bool device, library;
    /* true: the declaration has constexpr, using or a similar word, so it is not overwritten with
     * blanks */
    bool keeps;
    bool is_typedef, is_constant, is_class, is_operator;
    bool has_round;   /* true: the declaration has parentheses outside of all other brackets */
    bool is_call;     /* true: the second token is a parenthesis, as in the use of a macro */
    bool initialised; /* true: the declaration has a = */
    bool is_linkage;  /* true: the declaration begins with extern "C" */
    bool is_namespace;
    bool has_body; /* true: the declaration has a class's body, or an initialiser in braces */
    char last;     /* last character of the last token that was read */
    pm_code_word last_word;
} declaration;

static void see_word(const scanner *s, declaration *d, pm_code_word w)
{
    static const char *const kept[] = {"constexpr", "using", "static_assert", "asm", "texture",
                                       "surface",   NULL};
    static const char *const classes[] = {"struct", "class", "union", "enum", NULL};

    d->device = d->device || is_device_word(s, w);
    d->library = d->library || (pm_word_is(w, "std") && is_library(w.begin + w.length));
    d->keeps = d->keeps || pm_word_is_one_of(w, kept);
    d->is_typedef = d->is_typedef || pm_word_is(w, "typedef");
    d->is_constant = d->is_constant || pm_word_is(w, "const");
    d->is_operator = d->is_operator || pm_word_is(w, "operator");
    d->is_namespace = d->is_namespace || (pm_word_is(w, "namespace") && !d->keeps);
    d->is_class = d->is_class || (d->round == 0 && !d->has_round && pm_word_is_one_of(w, classes));
}

static bool is_function_end(const declaration *d)
{
    static const char *const behind[] = {"const", "noexcept", "override", "final", NULL};

    return d->last == ')' || pm_word_is_one_of(d->last_word, behind) || !d->is_class;
}

/* Returns true if the next { of the declaration starts the body of a function. Otherwise it starts
 * the body of a class, or an initialiser. */
static bool begins_function(const declaration *d)
{
    return d->has_round && !d->initialised && !d->is_typedef && is_function_end(d);
}

/* Returns true if a declaration that ends in ';' is host code. */
static bool is_host_declaration(const declaration *d)
{
    if (d->device || d->tokens < 2 || d->is_call || d->is_namespace)
        return false;
    if (d->library)
        return true;
    if (d->is_class && (d->has_body || !d->has_round))
        return false;
    if (d->has_round && !d->initialised)
        return !d->keeps && !d->is_typedef;
    return !d->keeps && !d->is_typedef && !d->is_constant;
}

static void end_declaration(const scanner *s, declaration *d, bool is_host)
{
    if (is_host && d->begin)
        pm_code_blank(s->text, d->begin, s->at);
    *d = (declaration){NULL};
}

static void see_braces(scanner *s, declaration *d)
{
    char *const begin = s->at;
    body b = {.depth = 0};

    if (d->is_namespace || (d->is_linkage && d->last == '"')) {
        s->at++;
        *d = (declaration){NULL};
        return;
    }
    skip_body(s, &b);
    if (d->is_class && !begins_function(d))
        blank_functions(s, begin);
    if (begins_function(d)) {
        end_declaration(s, d, !d->device && !d->keeps);
        return;
    }
    d->has_body = true;
    d->library = (d->library || b.library) && !b.device;
    d->device = d->device || (b.device && !d->is_class);
    d->last = '}';
}

static void see_token(scanner *s, declaration *d)
{
    const char c = *s->at;
    char *end = pm_end_of_token(s->at);
    pm_code_word w = starts_word(c) ? pm_word_at(s->at) : (pm_code_word){"", 0};

    d->begin = d->begin ? d->begin : s->at;
    d->tokens++;
    if (w.length > 0)
        see_word(s, d, w);
    d->is_linkage = d->is_linkage || (c == '"' && pm_word_is(d->last_word, "extern"));
    d->is_call = d->is_call || (c == '(' && d->tokens == 2);
    d->has_round = d->has_round || (c == '(' && d->round == 0);
    d->initialised = d->initialised || (c == '=' && d->round == 0 && !d->is_operator);
    d->round += (c == '(' || c == '[') - (c == ')' || c == ']');
    d->last = end[-1];
    d->last_word = w;
    s->at = end;
    if (pm_word_is(w, "template") && next(s, NULL, NULL) && *s->at == '<')
        skip_angles(s);
}

void pm_host_code_blank(char *text)
{
    scanner s = {.text = text, .at = text};
    declaration d = {NULL};

    while (next(&s, NULL, NULL)) {
        if (d.round <= 0 && *s.at == '{') {
            see_braces(&s, &d);
        } else if (d.round <= 0 && *s.at == ';') {
            s.at++;
            end_declaration(&s, &d, is_host_declaration(&d));
        } else if (d.round <= 0 && *s.at == '}') { /* end of a namespace */
            s.at++;
            d = (declaration){NULL};
        } else {
            see_token(&s, &d);
        }
    }
}
