/* Functions that generators of random programs share: random choices, texts that are written by
 * rules, and the variables in scope.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts (after printf has replaced what starts with %) may have $name what that rule of the
 * generator makes $[1-9] a number of that range $(a|b|c) one of these; parentheses in them are
 * balanced, and there is no other | $40(a|b) a with 40 %, else b; without b, nothing @1 the first
 * of the arguments, of functions that take a list of them from left to right. If a rule cannot make
 * anything, the whole text cannot be made.
 */
#ifndef PM_TESTS_RANDOM_GEN_H
#define PM_TESTS_RANDOM_GEN_H

#include "base/text.h"
#include "program.h"

enum { RD_VARS = 96, RD_FORMS = 32 };

typedef struct rd_gen rd_gen;

/* A text for a construct that has several texts. It is chosen with a probability proportional to
 * its weight. */
typedef struct {
    unsigned weight;
    const char *text;
    unsigned needs; /* features */
} rd_form;

/* A rule. It is made by a function (NULL: not possible here), or by one of its forms. The list of
 * forms ends with weight 0. If a chosen form cannot be made, another one is tried, unless `once` is
 * set. Forms in `simple` are used at depth 0; depth decreases by 1 per nested rule. */
typedef struct {
    const char *name;
    const char *(*make)(rd_gen *g);
    const rd_form *forms, *simple;
    bool once;
} rd_rule;

typedef struct {
    const char *name;
    int kind;      /* kind that the generator defines; 0: the variable cannot be used */
    bool writable; /* true: statements may assign to the variable */
    bool pinned;   /* true: no other variable may have the same name and hide this one */
    /* Of random layouts. */
    const struct lr_record *record;
    int mode;
    bool own; /* true: the variable is the number of the work-item's own element */
    bool in_constant;
    /* Of random staging. */
    size_t array;   /* where it points */
    unsigned trips; /* largest number of iterations of its loop */
} rd_var;

struct rd_gen {
    uint64_t random;
    rd_program *program;
    const char *const *arguments; /* arguments of the text that is being expanded */
    const rd_rule *const *rules;  /* rules per file, NULL-terminated; each file's last rule has no
                                   * name */
    unsigned features;
    pm_text text; /* declared variables of the source so far */
    unsigned indent, depth;
    unsigned names; /* made so far */
    rd_var vars[RD_VARS];
    size_t var_count, block; /* block: index of the first variable of the innermost block */
    bool hides;              /* true: variables of inner blocks may have the names of outer ones */
    unsigned latest; /* probability in percent that rd_find prefers later variables; 0: never */
    struct lr_state *layout; /* of random layouts */
    struct st_state *nest;   /* of random staging */
};

/* ---- choices and texts ---------------------------------------------------------------------- */

uint64_t rd_random(rd_gen *g);
uint64_t rd_hash(uint64_t z);
unsigned rd_below(rd_gen *g, unsigned n); /* 0 to n - 1 */
bool rd_chance(rd_gen *g, unsigned percent);
/* Returns one of the strings, which end with NULL. */
const char *rd_pick(rd_gen *g, const char *const *strings);
/* Returns a random set of features. Each feature is left out with the given probability in
 * percent. */
unsigned rd_features(rd_gen *g, unsigned count, unsigned percent);
bool rd_is_cuda(const rd_gen *g);
bool rd_has(const rd_gen *g, unsigned feature);
void *rd_need(void *memory); /* ends the test if it is NULL */
/* Returns a new text; NULL: it cannot be made. */
const char *rd_format(rd_gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *rd_format_with(rd_gen *g, const char *text, const char *const *arguments);
/* Adds an indented line to the source. "": an empty line. If the text is NULL, adds nothing. */
const char *rd_emit(rd_gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *rd_emit_with(rd_gen *g, const char *text, const char *const *arguments);
const char *rd_name(rd_gen *g, const char *like); /* a new one */
/* Returns the source, which the program then has in its language. */
void rd_finish(rd_gen *g);

/* ---- variables ------------------------------------------------------------------------------ */

/* Declares a variable of the innermost block; name NULL: a random name. Its kind is 0 until the
 * caller sets it. A variable that it hides is no longer found. */
rd_var *rd_declare(rd_gen *g, const char *name);
/* Returns a variable that fits; NULL: there is none. */
typedef bool (*rd_fits)(const rd_var *var, const void *with);
const rd_var *rd_find(rd_gen *g, rd_fits fits, const void *with);
const rd_var *rd_find_kind(rd_gen *g, int kind);
/* Adds a block of indented lines. */
typedef struct {
    size_t count, block;
} rd_mark;
rd_mark rd_open(rd_gen *g);
void rd_close(rd_gen *g, rd_mark mark);

#endif
