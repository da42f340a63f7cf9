/* Finds the range of text to which a syntax node belongs, also if the source uses macros. See
 * ast.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A token in an argument of a macro has an offset in the text and can be changed there; the change
 * applies to every expansion of that argument. A token that comes from a macro's body has no offset
 * of its own. For it, libclang reports the offset at which the macro's use begins. If it is the
 * last token of a node, libclang reports the end of the macro's use instead. So a node whose range
 * begins or ends exactly where a use of a macro does has a token from the macro's body there.
 *
 * Macros of OpenCL's header (as_float, INFINITY) expand to expressions in parentheses that contain
 * each argument once. They are treated like functions and constants, so their uses count as normal
 * text.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "transform/source/clang/ast.h"
#include "transform/source/clang/names.h"

/* ---- uses of macros ------------------------------------------------------------------------- */

/* Sets *offset to the offset of a source location in the text. Returns false if the location is in
 * another file. */
static bool place_of(const pm_ast *ast, CXSourceLocation location, size_t *offset)
{
    CXFile file = NULL;
    unsigned at = 0;

    clang_getFileLocation(location, &file, NULL, NULL, &at);
    *offset = at;
    return file && clang_File_isEqual(file, ast->file) && at <= ast->length;
}

void pm_place_add_use(pm_ast *ast, CXCursor use)
{
    CXSourceRange extent = clang_getCursorExtent(use);
    CXCursor definition = clang_getCursorReferenced(use);
    pm_range range;

    if (!place_of(ast, clang_getRangeStart(extent), &range.begin) ||
        !place_of(ast, clang_getRangeEnd(extent), &range.end) || range.begin >= range.end)
        return;
    if (!clang_Cursor_isNull(definition) &&
        clang_Location_isInSystemHeader(clang_getCursorLocation(definition)))
        *pm_add(&ast->memory, ast->own_uses, ast->own_count) = range;
    else
        *pm_add(&ast->memory, ast->uses, ast->use_count) = range;
}

static int compare_uses(const void *left, const void *right)
{
    const pm_range *a = left, *b = right;

    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return a->end > b->end ? -1 : a->end < b->end;
}

static int compare_begins(const void *left, const void *right)
{
    const pm_range *a = left, *b = right;

    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static int compare_offsets(const void *left, const void *right)
{
    size_t a = *(const size_t *)left, b = *(const size_t *)right;

    return a < b ? -1 : a > b;
}

void pm_place_sort(pm_ast *ast)
{
    size_t reach = 0;

    ast->use_ends = pm_take(&ast->memory, ast->use_count, sizeof *ast->use_ends);
    ast->use_reach = pm_take(&ast->memory, ast->use_count, sizeof *ast->use_reach);
    for (size_t i = 0; i < ast->use_count; i++)
        ast->use_ends[i] = ast->uses[i].end;
    if (ast->use_count > 0) {
        qsort(ast->uses, ast->use_count, sizeof *ast->uses, compare_uses);
        qsort(ast->use_ends, ast->use_count, sizeof *ast->use_ends, compare_offsets);
    }
    if (ast->own_count > 0)
        qsort(ast->own_uses, ast->own_count, sizeof *ast->own_uses, compare_begins);
    for (size_t i = 0; i < ast->use_count; i++) {
        reach = ast->uses[i].end > reach ? ast->uses[i].end : reach;
        ast->use_reach[i] = reach;
    }
}

/* Returns the number of macro uses in ast->uses that begin before the offset. */
static size_t uses_before(const pm_ast *ast, size_t offset)
{
    size_t low = 0, high = ast->use_count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (ast->uses[middle].begin < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const pm_range *use_from(const pm_ast *ast, size_t begin)
{
    size_t at = uses_before(ast, begin);

    return at < ast->use_count && ast->uses[at].begin == begin ? &ast->uses[at] : NULL;
}

/* Returns the range of the use of a macro of OpenCL's own header, such as as_float(x), that begins
 * at this offset. Returns NULL if none begins there. */
static const pm_range *own_use_from(const pm_ast *ast, size_t begin)
{
    const pm_range wanted = {.begin = begin};

    return ast->own_count
               ? bsearch(&wanted, ast->own_uses, ast->own_count, sizeof wanted, compare_begins)
               : NULL;
}

static const pm_range *use_to(const pm_ast *ast, size_t end)
{
    if (ast->use_count == 0 ||
        !bsearch(&end, ast->use_ends, ast->use_count, sizeof end, compare_offsets))
        return NULL;
    for (size_t i = 0; i < ast->use_count; i++)
        if (ast->uses[i].end == end)
            return &ast->uses[i];
    return NULL;
}

/* Returns whether an offset is inside of the use of a macro, after the use's begin. */
static bool is_inside(const pm_ast *ast, size_t offset)
{
    size_t count = uses_before(ast, offset);

    return count > 0 && offset < ast->use_reach[count - 1];
}

/* use_reach[u] is the largest end of the macro uses up to number u. Returns, by bisection, the
 * index of the first use for which it exceeds the offset. All uses before this one end at or before
 * the offset. */
static size_t use_beyond(const pm_ast *ast, size_t offset)
{
    size_t low = 0, high = ast->use_count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (ast->use_reach[middle] <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

void pm_place_begin(const pm_ast *ast, pm_node *node)
{
    CXSourceRange extent = clang_getCursorExtent(node->cursor);
    bool begins = place_of(ast, clang_getRangeStart(extent), &node->begin);
    bool ends = place_of(ast, clang_getRangeEnd(extent), &node->end);
    const pm_range *own = ends ? own_use_from(ast, node->end) : NULL;

    node->in_main = begins && ends;
    if (!node->in_main)
        return;
    if (own)
        node->end = own->end;
    node->begins_clean = !use_from(ast, node->begin);
    node->ends_clean = !use_from(ast, node->end) && !use_to(ast, node->end);
    if (node->end < node->begin) {
        node->end = node->begin;
        node->begins_clean = node->ends_clean = false;
    }
}

/* Returns whether text[begin, end) has a comma, or a closing parenthesis, outside of all
 * parentheses. The text would end there if it were a macro's argument. */
static bool has_comma(const char *text, size_t begin, size_t end)
{
    size_t depth = 0;

    for (size_t at = begin; at < end; at++) {
        if (depth == 0 && (text[at] == ',' || text[at] == ')'))
            return true;
        depth += text[at] == '(';
        depth -= text[at] == ')';
    }
    return false;
}

bool pm_has_comma(const char *text)
{
    return has_comma(text, 0, strlen(text));
}

/* Returns whether the offsets begin and end are in the same argument of the same macros, or both
 * outside of macros. Then text[begin, end) can be replaced as a whole. */
static bool is_whole(const pm_ast *ast, size_t begin, size_t end)
{
    bool inside = false;

    for (size_t i = use_beyond(ast, begin); i < ast->use_count && ast->uses[i].begin < end; i++) {
        const pm_range *use = &ast->uses[i];
        bool around = use->begin < begin && end < use->end;

        inside |= around;
        if (use->end > begin && !around && (use->begin < begin || use->end > end))
            return false;
    }
    return !inside || !has_comma(ast->text, begin, end);
}

void pm_place_end(const pm_ast *ast, pm_node *node)
{
    size_t at = node->begin;

    node->ordered = true;
    for (const pm_node *child = node->first; child; child = child->next) {
        node->ordered = node->ordered && child->ordered && child->begin >= at;
        at = child->end;
    }
    node->ordered = node->ordered && at <= node->end;
    if (!node->in_main || ast->use_count == 0)
        return;
    node->in_argument = is_inside(ast, node->begin) || is_inside(ast, node->end);
    /* If a macro uses its argument twice, the first and the last token of a node may come from
     * different expansions of it. Then text[begin, end) is not the node's text, so it must not be
     * replaced. */
    if (node->in_argument && (!node->ordered || !is_whole(ast, node->begin, node->end)))
        node->begins_clean = node->ends_clean = false;
}

/* ---- texts of expressions ------------------------------------------------------------------- */

/* Returns the nearest character that is not a blank: before offset `at` if `before` is true,
 * otherwise from `at` on. Returns '\0' if there is none. */
static char beside(const pm_ast *ast, size_t at, bool before)
{
    if (before) {
        while (at > 0 && isspace((unsigned char)ast->text[at - 1]))
            at--;
        return at > 0 ? ast->text[at - 1] : '\0';
    }
    return ast->text[at + strspn(ast->text + at, " \t\r\n")];
}

bool pm_ast_piece(const pm_ast *ast, const pm_node *node, pm_range *piece)
{
    const pm_range *first = node->begins_clean ? NULL : use_from(ast, node->begin);
    const pm_range *last = NULL;

    if (!node->ends_clean)
        last = use_from(ast, node->end) ? use_from(ast, node->end) : use_to(ast, node->end);
    *piece = (pm_range){node->begin, last ? last->end : node->end};
    if (!node->in_main || (!node->begins_clean && !first) || (!node->ends_clean && !last))
        return false;
    /* The macro's use may itself be in an argument of another macro, whose expansion may contain
     * the argument several times. Then it is unknown to which of them the expression belongs. */
    if ((first && is_inside(ast, first->begin)) || (last && is_inside(ast, last->begin)))
        return false;
    if ((first && !strchr("[(,=", beside(ast, piece->begin, true))) ||
        (last && !strchr("]),;", beside(ast, piece->end, false))))
        return false;
    return piece->begin <= piece->end && is_whole(ast, piece->begin, piece->end);
}

bool pm_ast_is_own(const pm_node *node)
{
    return node->in_main && node->begins_clean && node->ends_clean;
}

bool pm_ast_is_replaceable(const pm_node *node, const char *text)
{
    return pm_ast_is_own(node) && !(node->in_argument && pm_has_comma(text));
}

size_t pm_ast_statement_end(const pm_ast *ast, const pm_node *node)
{
    size_t begin, end;

    return clang_isExpression(node->kind) && node->parent &&
                   node->parent->kind == CXCursor_CompoundStmt &&
                   pm_token(ast->text, node->end, ast->length, &begin, &end) &&
                   ast->text[begin] == ';'
               ? end
               : node->end;
}
