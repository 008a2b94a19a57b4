#include "tables.h"

extern const unsigned char cerca_words_start[];
extern const unsigned char cerca_words_end[];

const unsigned char *cerca_words(size_t *length) {
    *length = (size_t)(cerca_words_end - cerca_words_start);
    return cerca_words_start;
}
