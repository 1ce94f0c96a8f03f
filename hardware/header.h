/* The header of the output and its other comments. */
#ifndef WEFT_HEADER_H
#define WEFT_HEADER_H

#include "session.h"

/* The first and the last lines of the output, and one for each size: how long it was measured, and
 * for how much of that the rank that waited most had no processor. */
void weft_write_header(const struct session *session);
void weft_write_waiting(const struct session *session, int bytes, double elapsed_s,
                        double waited_s);
/* That the program asks for a level, with which MPI did not begin. */
void weft_write_threads(const struct session *session, enum thread_level asked);
void weft_write_usage(const struct session *session);

#endif
