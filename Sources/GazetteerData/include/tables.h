#include <stddef.h>

/// The bytes of data/cities.csv, which are part of the program so that one binary is enough.
const unsigned char *cerca_cities(size_t *length);

/// The bytes of data/words.csv.
const unsigned char *cerca_words(size_t *length);
