/* MGEN over MPI: what its parts share. */
#ifndef WEFT_OVER_MPI_H
#define WEFT_OVER_MPI_H

#include "mgen_host.h"
#include <stddef.h>

enum scratch { SCRATCH_SENT, SCRATCH_RECEIVED, SCRATCH_KINDS };

/* `buffer`, or memory of that size if it is NULL. That memory stays valid until the end. */
void *mgen_real(const void *buffer, size_t bytes, enum scratch kind);

/* The bytes of `count` elements. */
size_t mgen_bytes(int count, MGEN_Datatype type);

/* Makes one-sided communication ready; all ranks take part. Returns 0 if the MPI has none. */
int mgen_puts_begin(size_t largest);
void mgen_puts_end(void);
/* Reports to the targets of puts that their data have landed. Precedes all calls that may block. */
void mgen_notify(void);
/* The end of a repetition: completes all puts of this rank. */
void mgen_puts_settle(void);

#endif
