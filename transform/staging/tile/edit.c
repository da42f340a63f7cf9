/* Adds edits of the source for staging, finds where statements begin and end, and indents lines.
 * See emit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <string.h>

#include "transform/staging/tile/emit.h"

void pm_emit_need(pm_emit *e, bool own)
{
    e->hidden |= !own;
}

const char *pm_emit_source(pm_emit *e, const pm_node *node)
{
    pm_range piece = {0, 0};

    pm_emit_need(e, node && pm_ast_piece(e->s->index.ast, node, &piece));
    return e->hidden ? ""
                     : pm_format(e->memory, "%.*s", (int)(piece.end - piece.begin),
                                 e->s->unit->ast.text + piece.begin);
}

void pm_emit_insert(pm_emit *e, size_t at, const char *text)
{
    pm_edits_add(e->edits, at, at, pm_format(e->memory, "%s\003%zu\004", text, e->marks++));
}

void pm_emit_replace(pm_emit *e, const pm_node *node, const char *text)
{
    pm_emit_need(e, pm_ast_is_replaceable(node, text));
    pm_edits_add(e->edits, node->begin, node->end, text);
}

size_t pm_emit_begin(const pm_emit *e, const pm_node *statement)
{
    const char *text = e->s->unit->ast.text;
    size_t begin = statement->begin;

    for (;;) {
        size_t line = pm_line_start(text, begin), above, word;

        for (word = line; word < begin && isspace((unsigned char)text[word]); word++)
            ;
        if (word < begin || line == 0)
            /* do not include lines above, because other code stands before the statement on its
             * line */
            return begin;
        above = pm_line_start(text, line - 1);
        for (word = above; text[word] == ' ' || text[word] == '\t'; word++)
            ;
        if (strncmp(text + word, "#pragma", 7) != 0)
            return begin;
        begin = word;
    }
}

size_t pm_emit_end(const pm_emit *e, const pm_node *statement)
{
    const char *text = e->s->unit->ast.text;
    size_t begin, end;

    if (statement->kind != CXCursor_CompoundStmt &&
        pm_token(text, statement->end, e->s->unit->ast.length, &begin, &end) &&
        text[begin] == ';' && text[statement->end - 1] != ';' && text[statement->end - 1] != '}')
        return end;
    return statement->end;
}

const char *pm_emit_indent(const pm_emit *e, size_t at)
{
    const char *text = e->s->unit->ast.text;
    size_t line = pm_line_start(text, at), end = line;

    while (text[end] == ' ' || text[end] == '\t')
        end++;
    /* a #pragma before the statement may be indented less, so use the next line's indentation */
    if (text[end] == '#') {
        while (text[end] && text[end] != '\n')
            end++;
        return pm_emit_indent(e, text[end] ? end + 1 : line);
    }
    return pm_format(e->memory, "%.*s", (int)(end - line), text + line);
}

void pm_stage_indent(const char *text, pm_text *out)
{
    size_t depth = 0;
    bool fresh = false; /* true: `at` is at the start of a line */

    for (const char *at = text; *at; at++) {
        if (*at == PM_DEEPER[0])
            depth++;
        else if (*at == PM_HIGHER[0])
            depth -= depth > 0;
        else if (*at == '\003') {
            while (*at && *at != '\004')
                at++;
        } else {
            if (fresh && *at != '\n' && *at != '#')
                for (size_t i = 0; i < depth; i++)
                    pm_text_add(out, "    ");
            pm_text_put(out, at, 1);
            fresh = *at == '\n';
        }
    }
}
