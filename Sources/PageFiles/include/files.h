#include <stddef.h>

/// A file that the page at `/` or the one at `/docs` is made of, which is part of the program so that one binary is enough.
struct cerca_page_file {
    const char *name;
    const unsigned char *bytes;
    size_t length;
};

/// All of them.
const struct cerca_page_file *cerca_page_files(size_t *count);
