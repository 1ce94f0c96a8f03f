/* Command line of the measuring programs. */
#ifndef WEFT_OPTIONS_H
#define WEFT_OPTIONS_H

#include "measure.h"
#include <stddef.h>

/* Fills `options` from the command line. Returns 0, or -1 with the reason in `error`. */
int options_parse(int argc, char **argv, struct options *options, char *error, size_t error_size);

#endif
