#include "commit.h"

// A file of its own: another commit compiles this one again, and nothing else.
const char *cerca_commit(void) { return CERCA_COMMIT; }
