/* Tests the analysis of random index expressions: the polynomials give the same index for each
 * work-item as plain arithmetic, and all values are within the computed bounds.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "index_dump.h"
#include "transform/source/clang/source_unit.h"
#include "unit.h"

enum { SIZE = 48, EXPRESSIONS = 600, MOST_NODES = 64, DEPTH = 4 };

typedef enum {
    LID,
    GROUP,
    N,
    M,
    NUMBER,
    LOOP, /* leaves */
    ADD,
    SUB,
    MUL,
    DIV,
    REM,
    SHR,
    SHL,
    AND, /* a division by a number, for values from DIV on */
    MIN,
    MAX,
    CLAMP,
    LESS
} op;

typedef struct node {
    op op;
    long long number;
    const struct node *a, *b, *c;
    char *text;
} node;

/* Values for which an expression is evaluated. */
typedef struct {
    long long lid, group, n, m, i;
    bool is_unsigned;
    bool overflows; /* out: the expression has no result */
} place;

typedef struct {
    node nodes[MOST_NODES];
    size_t count;
    uint64_t random;
    bool is_unsigned;
} generator;

/* ---- expressions ---------------------------------------------------------------------------- */

static unsigned draw(generator *g, unsigned below)
{
    g->random = g->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(g->random >> 33) % below;
}

static const char *const names[] = {"lid", "group", "n", "m", "", "i"};

static char *text_of(const node *of, bool is_unsigned)
{
    static const char *const operators[] = {[ADD] = "+", [SUB] = "-",  [MUL] = "*",  [DIV] = "/",
                                            [REM] = "%", [SHR] = ">>", [SHL] = "<<", [AND] = "&"};
    pm_text text = {0};

    if (of->op == NUMBER)
        pm_text_add(&text, "%lld%s", of->number, is_unsigned ? "u" : "");
    else if (of->op < ADD)
        pm_text_add(&text, "%s", names[of->op]);
    else if (of->op < MIN)
        pm_text_add(&text, "(%s %s %s)", of->a->text, operators[of->op], of->b->text);
    else if (of->op == CLAMP)
        pm_text_add(&text, "clamp(%s, %s, %s)", of->a->text, of->b->text, of->c->text);
    else if (of->op == LESS)
        pm_text_add(&text, "(%s < %s ? %s : %s)", of->a->text, of->b->text, of->a->text,
                    of->c->text);
    else
        pm_text_add(&text, "%s(%s, %s)", of->op == MIN ? "min" : "max", of->a->text, of->b->text);
    return pm_text_take(&text);
}

/* Ids and small powers of two are most frequent, as in index expressions. */
static const node *leaf(generator *g, bool is_number)
{
    node *made = &g->nodes[g->count++];

    assert_true(g->count < MOST_NODES);
    *made = (node){.op = is_number    ? NUMBER
                         : draw(g, 2) ? LID
                                      : draw(g, ADD),
                   .number = draw(g, 3) ? 1LL << draw(g, 6) : (long long)draw(g, 40)};
    made->text = text_of(made, g->is_unsigned);
    return made;
}

/* Makes the right operand of an operator that requires a number. */
static const node *number_for(generator *g, op by)
{
    node *made = &g->nodes[g->count++];

    *made = (node){.op = NUMBER, .number = 1 + draw(g, 17)};
    if (by == SHR || by == SHL)
        made->number = draw(g, 5);
    else if (draw(g, 3))
        made->number = (1LL << draw(g, 6)) - (by == AND);
    made->text = text_of(made, g->is_unsigned);
    return made;
}

static const node *make(generator *g, unsigned depth)
{
    node *made;

    if (depth == 0 || draw(g, 5) == 0)
        return leaf(g, false);
    made = &g->nodes[g->count++];
    *made = (node){.op = ADD + draw(g, LESS + 1 - ADD)};
    made->a = make(g, depth - 1);
    if (made->op >= DIV && made->op <= AND)
        made->b = number_for(g, made->op);
    else
        made->b = draw(g, 2) ? leaf(g, true) : make(g, depth - 1);
    if (made->op == CLAMP || made->op == LESS)
        made->c = draw(g, 2) ? made->b : leaf(g, false);
    made->text = text_of(made, g->is_unsigned);
    return made;
}

static void clear(generator *g)
{
    for (size_t i = 0; i < g->count; i++)
        free(g->nodes[i].text);
    g->count = 0;
}

/* ---- values of expressions ------------------------------------------------------------------ */

static long long value(const node *of, place *s);

/* OpenCL's int or uint arithmetic. */
static long long operate(const node *of, place *s, long long a, long long b)
{
    long long product;

    switch (of->op) {
    case ADD:
        return a + b;
    case SUB:
        return a - b;
    case MUL:
        s->overflows |= __builtin_mul_overflow(a, b, &product);
        return product;
    case DIV:
        return a / b;
    case REM:
        return a % b;
    case SHR:
        return a >> b;
    case SHL:
        return a * (1LL << b);
    case AND:
        return a & b;
    case MIN:
        return a < b ? a : b;
    case MAX:
        return a > b ? a : b;
    case LESS:
        return a < b ? a : value(of->c, s);
    default: /* CLAMP has no result if its lower bound exceeds its upper bound */
        s->overflows |= b > value(of->c, s);
        return a < b ? b : a > value(of->c, s) ? value(of->c, s) : a;
    }
}

static long long value(const node *of, place *s)
{
    const long long leaves[] = {s->lid, s->group, s->n, s->m, of->number, s->i};
    long long result;

    if (of->op < ADD)
        return leaves[of->op];
    result = operate(of, s, value(of->a, s), value(of->b, s));
    s->overflows |= result > (s->is_unsigned ? (long long)UINT32_MAX : INT32_MAX);
    s->overflows |= result < -(long long)INT32_MAX;
    return s->is_unsigned ? (long long)(uint32_t)result : result;
}

/* ---- values of polynomials ------------------------------------------------------------------- */

static long long poly_value(const pm_index *index, const pm_poly *poly, const generator *g,
                            place *s, bool *known);

static bool has_name(const pm_atom *atom, const char *name)
{
    return strcmp(atom->text, name) == 0;
}

static long long atom_value(const pm_index *index, const pm_atom *atom, const generator *g,
                            place *s, bool *known)
{
    long long result;

    switch (atom->kind) {
    case PM_ATOM_LOCAL:
        return s->lid;
    case PM_ATOM_PART:
        return s->lid / atom->divisor % (atom->high + 1);
    case PM_ATOM_GROUP:
        return s->group;
    case PM_ATOM_LOOP:
        return s->i;
    case PM_ATOM_CLAMP:
        result = poly_value(index, &atom->inner, g, s, known);
        for (int pass = 0; pass < 2; pass++) {
            bool upper = (pass == 1) == atom->most_last;
            const pm_poly *by = upper ? &atom->most : &atom->least;
            long long bound = by->known ? poly_value(index, by, g, s, known) : result;

            if (upper ? bound < result : bound > result)
                result = bound;
        }
        return result;
    case PM_ATOM_VALUE:
        if (has_name(atom, names[N]))
            return s->n;
        if (has_name(atom, names[M]))
            return s->m;
        for (size_t i = 0; i < g->count; i++) {
            char text[2048];

            snprintf(text, sizeof text, "(%s)", g->nodes[i].text);
            if (has_name(atom, text) || has_name(atom, g->nodes[i].text))
                return value(&g->nodes[i], s);
        }
        break;
    default:
        break;
    }
    *known = false;
    return 0;
}

static long long poly_value(const pm_index *index, const pm_poly *poly, const generator *g,
                            place *s, bool *known)
{
    long long sum = 0;

    *known &= poly->known;
    for (size_t t = 0; t < poly->count; t++) {
        long long product = poly->terms[t].coefficient;

        for (size_t i = 0; i < poly->terms[t].factor_count; i++)
            product *= atom_value(index, &index->atoms[poly->terms[t].factors[i]], g, s, known);
        sum += product;
    }
    return sum;
}

/* ---- comparison of both --------------------------------------------------------------------- */

static size_t compared, known_count, bounded_count;

static void check(const pm_index *index, const pm_poly *poly, const generator *g, const node *of,
                  place s)
{
    bool known = true;
    long long right = value(of, &s), got, low, high;

    if (s.overflows)
        return;
    compared++;
    got = poly_value(index, poly, g, &s, &known);
    if (s.overflows)
        return;
    known_count += known;
    if (known && (s.is_unsigned ? (uint32_t)got != (uint32_t)right : got != right))
        fail_msg("%s is %lld and not %lld with lid %lld, group %lld, n %lld, m %lld, i %lld",
                 of->text, right, got, s.lid, s.group, s.n, s.m, s.i);
    if (pm_index_low(index, *poly, &low) && pm_index_high(index, *poly, &high)) {
        /* If an index wraps around, its bounds apply to its value as int. */
        long long number = known ? got : right;

        if (s.is_unsigned && number > high)
            number -= 1LL << 32;
        bounded_count++;
        if (number < low || number > high)
            fail_msg("%s is %lld, which is not within %lld..%lld", of->text, number, low, high);
    }
}

static void check_all(const pm_index *index, const pm_poly *poly, const generator *g,
                      const node *of, bool is_unsigned)
{
    static const long long sizes[] = {1, 7, 64, 1000};

    for (long long lid = 0; lid < SIZE; lid++)
        for (size_t k = 0; k < 16; k++)
            check(index, poly, g, of,
                  (place){.lid = lid,
                          .group = (long long)k % 3,
                          .n = sizes[k % 4],
                          .m = is_unsigned || k % 2 ? 5 + (long long)k : -5,
                          .i = 3 * ((long long)k % 4),
                          .is_unsigned = is_unsigned});
}

static void read_expression(generator *g, const node *of, bool is_unsigned)
{
    static const char *const options[] = {"-x", "cl", "--target=nvptx64--", "-Wno-everything",
                                          "-cl-std=CL1.2"};
    const char *type = is_unsigned ? "uint" : "int";
    pm_parse_request request = {.path = "test.cl", .arguments = options, .argument_count = 5};
    pm_text source = {0};
    pm_memory memory = {0};
    pm_index index = {.name = ""};
    pm_ast ast;
    pm_node *kernel;

    pm_text_add(&source,
                "__kernel __attribute__((reqd_work_group_size(%d, 1, 1))) void k(__global float "
                "*a, %s n, %s m)\n{ const %s lid = get_local_id(0), group = get_group_id(0);\n"
                "for (%s i = 0; i < 12; i += 3)\n a[%s] = 1; }\n",
                SIZE, type, type, type, type, of->text);
    request.text = pm_text_get(&source);
    assert_int_equal(pm_ast_parse(&ast, &request, told()), PM_OK);
    for (kernel = ast.root->first; !kernel->is_kernel;)
        kernel = kernel->next;
    assert_int_equal(index_read(&ast, kernel, (const size_t[3]){0}, &index, &memory, told()),
                     PM_OK);
    assert_int_equal(index.access_count, 1);
    check_all(&index, &index.accesses[0].index, g, of, is_unsigned);
    pm_memory_free(&memory);
    pm_ast_free(&ast);
    pm_text_free(&source);
}

static void test_random(bool is_unsigned)
{
    generator g = {.random = is_unsigned ? 12345 : 54321, .is_unsigned = is_unsigned};

    compared = known_count = bounded_count = 0;
    for (int i = 0; i < EXPRESSIONS; i++) {
        const node *of = make(&g, 1 + (unsigned)i % DEPTH);

        read_expression(&g, of, is_unsigned);
        clear(&g);
    }
    print_message("%zu compared, %zu known, %zu with bounds\n", compared, known_count,
                  bounded_count);
    assert_true(known_count > compared / 3);
    assert_true(bounded_count > compared / 10);
}

TEST(test_signed)
{
    test_random(false);
}

TEST(test_unsigned)
{
    test_random(true);
}
