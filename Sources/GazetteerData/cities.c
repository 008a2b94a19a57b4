#include "tables.h"

extern const unsigned char cerca_cities_start[];
extern const unsigned char cerca_cities_end[];

const unsigned char *cerca_cities(size_t *length) {
    *length = (size_t)(cerca_cities_end - cerca_cities_start);
    return cerca_cities_start;
}
