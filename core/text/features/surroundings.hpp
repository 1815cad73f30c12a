// SPDX-License-Identifier: Apache-2.0
// What stands around a character, in chunks: the pieces of a text between blanks.
//
//   chunk, chunk_left, chunk_right   the chunk around the character; its part up to and with the character; the part behind it
//   next_chunk, previous_chunk       the chunks after and before this one
//   chunk_shape, next_shape          types of characters, runs cut to two; the next chunk's
//   next_but_one                     the chunk after the next
//
// Letters count in lower case and digits as 0, but for shapes. Hashes roll from character to character: O(characters) whatever the
// length of a chunk. Of a blank, the parts of a chunk are empty and `chunk` is the chunk before it.
#pragma once
#include "core/text/sequences.hpp"

namespace accord::text {

// Writes these columns for all characters; columns of a lexicon stay as they are.
void annotate_surroundings(CharacterSequences& sequences);

}  // namespace accord::text
