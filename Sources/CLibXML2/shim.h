// Debian's libxml2 names ICU's types in a header, and ICU's own headers contradict those that Foundation brings: a build for
// debugging sees both. Nothing here converts encodings by ICU.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
