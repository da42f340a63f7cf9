/* Changes the text of a source whose arrays are copied to local memory (staging): inserts and
 * replaces text, finds where statements begin and end, and indents lines. See emit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <string.h>

#include "transform/staging/emit/emit.h"

void pm_writer_need(pm_writer *w, bool own)
{
    w->hidden |= !own;
}

const char *pm_writer_source(pm_writer *w, const pm_node *node)
{
    pm_range piece = {0, 0};

    pm_writer_need(w, node && pm_ast_piece(w->ast, node, &piece));
    return w->hidden ? ""
                     : pm_format(w->memory, "%.*s", (int)(piece.end - piece.begin),
                                 w->ast->text + piece.begin);
}

void pm_writer_insert(pm_writer *w, size_t at, const char *text)
{
    pm_edits_add(w->edits, at, at, pm_format(w->memory, "%s\003%zu\004", text, w->marks++));
}

void pm_writer_replace(pm_writer *w, const pm_node *node, const char *text)
{
    pm_writer_need(w, pm_ast_is_replaceable(node, text));
    pm_edits_add(w->edits, node->begin, node->end, text);
}

size_t pm_statement_begin(const pm_ast *ast, const pm_node *statement)
{
    const char *text = ast->text;
    size_t begin = statement->begin;

    for (;;) {
        size_t line = pm_line_start(text, begin), above, word;

        for (word = line; word < begin && isspace((unsigned char)text[word]); word++)
            ;
        if (word < begin || line == 0)
            /* Other code stands before the statement on its line, so the lines above belong to that
             * code. */
            return begin;
        above = pm_line_start(text, line - 1);
        for (word = above; text[word] == ' ' || text[word] == '\t'; word++)
            ;
        if (strncmp(text + word, "#pragma", 7) != 0)
            return begin;
        begin = word;
    }
}

size_t pm_statement_end(const pm_ast *ast, const pm_node *statement)
{
    const char *text = ast->text;
    size_t begin, end;

    if (statement->kind != CXCursor_CompoundStmt &&
        pm_token(text, statement->end, ast->length, &begin, &end) && text[begin] == ';' &&
        text[statement->end - 1] != ';' && text[statement->end - 1] != '}')
        return end;
    return statement->end;
}

const char *pm_writer_indent(const pm_writer *w, size_t at)
{
    const char *text = w->ast->text;
    size_t line = pm_line_start(text, at), end = line;

    while (text[end] == ' ' || text[end] == '\t')
        end++;
    /* a #pragma before the statement may be indented less, so use the next line's indentation */
    if (text[end] == '#') {
        while (text[end] && text[end] != '\n')
            end++;
        return pm_writer_indent(w, text[end] ? end + 1 : line);
    }
    return pm_format(w->memory, "%.*s", (int)(end - line), text + line);
}

void pm_stage_indent(const char *text, pm_text *out)
{
    size_t depth = 0;
    bool fresh = false; /* true: the next character to be copied is at the start of a line */

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
