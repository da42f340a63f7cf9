/* Modes of a texture, as bits of the member pm_modes of a texture object. See texture.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

/* address modes; their numbers are those of cudaTextureAddressMode */
#define PM_TEXTURE_WRAP 0u
#define PM_TEXTURE_CLAMP 1u
#define PM_TEXTURE_MIRROR 2u
#define PM_TEXTURE_BORDER 3u
#define PM_TEXTURE_MODE_X(modes) ((modes)&3)
#define PM_TEXTURE_MODE_Y(modes) ((modes) >> 2 & 3)
/* the coordinates are from 0 to 1 */
#define PM_TEXTURE_NORMALIZED (1u << 4)
/* a fetch returns the mean of four texels */
#define PM_TEXTURE_FILTERED (1u << 5)
/* texels outside of the texture are 0 */
#define PM_TEXTURE_ZEROS (1u << 6)
/* bits of a channel that a fetch converts to a float: 8 or 16; 32: it converts nothing */
#define PM_TEXTURE_BITS(modes) ((modes) >> 7 & 3 ? 4u << ((modes) >> 7 & 3) : 32u)
#define PM_TEXTURE_OF_BITS(bits) ((bits) == 8 ? 1u << 7 : (bits) == 16 ? 2u << 7 : 0u)
/* kind of these channels; its numbers are those of cudaChannelFormatKind */
#define PM_TEXTURE_OF_KIND(kind) ((kind) << 9)
#define PM_TEXTURE_KIND(modes) ((modes) >> 9 & 3)
#define PM_TEXTURE_UNSIGNED 1u
#define PM_TEXTURE_FLOATS 2u
/* height of a block of a CUDA array in tiles of 8 rows: 1 to 16; 0: rows follow each other */
#define PM_TEXTURE_OF_TILES(tiles) ((tiles) << 11)
#define PM_TEXTURE_TILES(modes) ((modes) >> 11 & 31)
