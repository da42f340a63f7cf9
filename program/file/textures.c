/* Makes texture objects from the sections [texture NAME] of a workload file. See from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A texture object has the layout of the struct in compiler/cuda/texture.cuh: a pointer to the
 * texels, then width, height, pitch and modes, of 32 bits each.
 */
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "compiler/cuda/texture_modes.h"
#include "compiler/language.h"
#include "program/file/from_file.h"

enum { AT_SHAPE = 8, MOST_WIDTH = 1 << 28, MOST_SIDE = 1 << 17, TILE_BYTES = 64, TILE_ROWS = 8 };

typedef struct {
    const pm_file_build *build;
    const pm_file_texture *texture;
    pm_file_type type; /* type of the texels */
    uint32_t width, height, pitch, tiles;
    uint32_t modes;
} reading;

/* ---- shape ---------------------------------------------------------------------------------- */

static uint32_t read_number(const reading *r, const pm_file_text *text, const char *key,
                            int64_t most)
{
    const int64_t value = pm_file_integer(r->build, &r->build->numbers, text->text, text->line);

    if (value < 1 || value > most)
        pm_file_fault(
            r->build, text->line, "[texture %s]: %s = %lld in size %s; from 1 to %lld are possible",
            r->texture->name, key, (long long)value, r->build->size->name, (long long)most);
    return (uint32_t)value;
}

static void read_type(reading *r, size_t buffer)
{
    const pm_file_buffer *from = &r->build->file->buffers[buffer];
    const pm_file_text *type = r->texture->type.text ? &r->texture->type : &from->type;

    if (!pm_file_type_find(type->text, &r->type) || r->type.width == 3 || r->type.width > 4 ||
        r->type.scalar->bytes > 4)
        pm_file_fault(r->build, type->line,
                      "[texture %s]: texels of type %.40s; they have 1, 2 or 4 numbers of up to 32 "
                      "bits: write type = float4 or the like in the section",
                      r->texture->name, type->text);
}

static void read_shape(reading *r)
{
    const pm_file_texture *t = r->texture;
    const size_t row = r->type.bytes * (r->width = read_number(r, &t->width, "width", MOST_WIDTH));

    if (t->height.text)
        r->height = read_number(r, &t->height, "height", MOST_SIDE);
    r->pitch = (uint32_t)row;
    if (t->array)
        r->pitch = (uint32_t)((row + TILE_BYTES - 1) / TILE_BYTES * TILE_BYTES);
    else if (t->pitch.text)
        r->pitch = read_number(r, &t->pitch, "pitch", INT32_MAX);
    if (r->pitch < row || row > INT32_MAX)
        pm_file_fault(r->build, t->pitch.line ? t->pitch.line : t->width.line,
                      "[texture %s]: a row has %zu bytes, more than the pitch of %u", t->name, row,
                      r->pitch);
    for (r->tiles = t->array && r->height;
         r->tiles && r->tiles < 16 && r->tiles * TILE_ROWS < r->height;)
        r->tiles *= 2;
}

/* Raises an error if the texture's buffer has fewer bytes than the texture needs. */
static void check_size(const reading *r, const pm_pointer *texels)
{
    const pm_workload *w = r->build->workload;
    const uint64_t block = r->tiles ? r->tiles * TILE_ROWS : 1;
    const uint64_t rows = ((r->height ? r->height : 1) + block - 1) / block * block;
    const uint64_t needed =
        (rows - 1) * r->pitch + (r->tiles ? r->pitch : (uint64_t)r->width * r->type.bytes);
    const pm_buffer *buffer;

    if (w->error.status != PM_OK)
        return;
    buffer = &w->buffers[texels->buffer];
    if (buffer->bytes - texels->offset < needed)
        pm_file_fault(r->build, r->texture->buffer.line,
                      "[texture %s] needs %llu bytes in size %s%s, and %s has %zu: raise its count",
                      r->texture->name, (unsigned long long)needed, r->build->size->name,
                      r->tiles ? ", because an array has whole tiles of 64 bytes and blocks of rows"
                               : "",
                      buffer->name, buffer->bytes - texels->offset);
}

/* ---- modes ---------------------------------------------------------------------------------- */

/* Returns the index in `words`, the values that a key may have, of the key's value `word`. 0 if the
 * file does not have the key (word is NULL). Raises an error, with the line of `key`, for another
 * value. */
static uint32_t choose(const reading *r, const char *word, const pm_file_text *key,
                       const char *const *words)
{
    char list[100] = "";
    uint32_t i = 0;

    if (!word)
        return 0;
    while (words[i] && strcmp(words[i], word) != 0)
        i++;
    if (words[i])
        return i;
    for (i = 0; words[i]; i++)
        pm_list_add(list, sizeof list, "%s", words[i]);
    pm_file_fault(r->build, key->line, "[texture %s]: \"%.40s\" is none of: %s", r->texture->name,
                  word, list);
}

/* Reads the address mode (the treatment of coordinates outside of the texture), which is one word
 * for both dimensions or one for each. */
static void read_address(reading *r, bool normalized)
{
    static const char *const words[] = {"clamp", "border", "wrap", "mirror", NULL};
    static const uint32_t modes[] = {PM_TEXTURE_CLAMP, PM_TEXTURE_BORDER, PM_TEXTURE_WRAP,
                                     PM_TEXTURE_MIRROR};
    const pm_file_text *key = &r->texture->address;
    const char *rest = key->text;
    char item[PM_FILE_ITEM];
    uint32_t mode[2] = {PM_TEXTURE_CLAMP, PM_TEXTURE_CLAMP};

    for (size_t d = 0; d < 2 && key->text; d++) {
        if (rest && pm_file_item(&rest, item))
            mode[d] = modes[choose(r, item, key, words)];
        else
            mode[d] = mode[0];
        if (!normalized && mode[d] != PM_TEXTURE_CLAMP && mode[d] != PM_TEXTURE_BORDER)
            pm_file_fault(r->build, key->line,
                          "[texture %s]: address = %.40s needs coordinates = normalized, as in "
                          "CUDA: write clamp or border",
                          r->texture->name, key->text);
    }
    if (rest)
        pm_file_fault(r->build, key->line, "[texture %s]: address has up to two modes",
                      r->texture->name);
    r->modes |= mode[0] | mode[1] << 2;
    if (mode[0] == PM_TEXTURE_BORDER || mode[1] == PM_TEXTURE_BORDER)
        r->modes |= PM_TEXTURE_ZEROS;
}

static void read_modes(reading *r)
{
    static const char *const filters[] = {"point", "linear", NULL};
    static const char *const coordinates[] = {"texels", "normalized", NULL};
    static const char *const reads[] = {"element", "normalized", NULL};
    const pm_file_texture *t = r->texture;
    const pm_scalar *scalar = r->type.scalar;
    const bool is_real = scalar->kind == PM_SCALAR_REAL;
    const bool normalized = choose(r, t->coordinates.text, &t->coordinates, coordinates);
    const bool converts = choose(r, t->read.text, &t->read, reads);

    r->modes = PM_TEXTURE_OF_TILES(r->tiles) | (normalized ? PM_TEXTURE_NORMALIZED : 0);
    if (choose(r, t->filter.text, &t->filter, filters))
        r->modes |= PM_TEXTURE_FILTERED;
    if (converts && (is_real || scalar->bytes > 2))
        pm_file_fault(r->build, t->read.line,
                      "[texture %s]: read = normalized needs texels of 8-bit or 16-bit integers",
                      t->name);
    if (converts || (is_real && scalar->bytes == 2))
        r->modes |= PM_TEXTURE_OF_BITS(8 * scalar->bytes) |
                    PM_TEXTURE_OF_KIND(is_real                              ? PM_TEXTURE_FLOATS
                                       : scalar->kind == PM_SCALAR_UNSIGNED ? PM_TEXTURE_UNSIGNED
                                                                            : 0u);
    read_address(r, normalized);
}

/* ---- objects -------------------------------------------------------------------------------- */

static void make_object(const pm_file_build *b, const pm_file_texture *texture,
                        pm_file_object *object)
{
    const pm_file_pointer_text text = {.item = texture->buffer.text, .line = texture->buffer.line};
    reading r = {.build = b, .texture = texture};
    uint32_t numbers[4];

    if (texture->object.text) {
        pm_file_read_object(b, texture->object.text, texture->object.line, object);
        return;
    }
    if (!pm_file_read_pointer(b, &text, &object->texels))
        pm_file_fault(b, texture->buffer.line, "[texture %s]: buffer = null has no texels",
                      texture->name);
    read_type(&r, object->texels.buffer);
    read_shape(&r);
    check_size(&r, &object->texels);
    read_modes(&r);
    numbers[0] = r.width;
    numbers[1] = r.height;
    numbers[2] = r.pitch;
    numbers[3] = r.modes;
    memcpy(object->bytes + AT_SHAPE, numbers, sizeof numbers);
}

void pm_file_add_textures(const pm_file_build *b)
{
    if (pm_language_of(b->workload->source_path) != PM_LANGUAGE_CUDA)
        return;
    for (size_t i = 0; i < b->file->texture_count; i++) {
        pm_file_object object = {.bytes = {0}};

        make_object(b, &b->file->textures[i], &object);
        pm_workload_texture(b->workload, b->file->textures[i].name, object.bytes,
                            sizeof object.bytes, &object.texels);
    }
}

static const pm_texture *find(const pm_file_build *b, const char *item, const char *name,
                              size_t length, unsigned line)
{
    char list[300] = "";

    for (size_t i = 0; i < b->workload->texture_count; i++)
        if (strlen(b->workload->textures[i].name) == length &&
            memcmp(b->workload->textures[i].name, name, length) == 0)
            return &b->workload->textures[i];
    for (size_t i = 0; i < b->file->texture_count; i++)
        pm_list_add(list, sizeof list, "%s", b->file->textures[i].name);
    pm_file_fault(b, line, "argument \"%.60s\": no [texture %.*s]; there are: %s", item,
                  (int)(length < 48 ? length : 48), name, *list ? list : "none");
}

void pm_file_add_texture_argument(const pm_file_build *b, const char *item, const char *names,
                                  unsigned line)
{
    const pm_texture *chosen = NULL;
    size_t count = 1;
    int64_t repeat;

    if (b->workload->error.status != PM_OK)
        return;
    for (const char *at = names; *at; at++)
        count += *at == '|';
    repeat = b->parameters[b->numbers.count].value % (int64_t)count;
    for (size_t i = 0; i < count; i++) {
        const size_t length = strcspn(names, " \t|");
        const pm_texture *texture = find(b, item, names, length, line);

        chosen = (int64_t)i == repeat ? texture : chosen;
        names += length + strspn(names + length, " \t|");
    }
    pm_workload_arg_value(b->workload, pm_arg_value(&chosen->object), chosen->object.bytes);
    pm_workload_arg_point(b->workload, chosen->object.pointers.items,
                          chosen->object.pointers.count);
}
