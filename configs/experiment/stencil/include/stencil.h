/* A square of numbers that relaxes by the mean of its neighbours, in strips of rows. */
#ifndef STENCIL_H
#define STENCIL_H

#include <stddef.h>

#ifndef WIDTH
#define WIDTH 256
#endif

/* A rank's strip: its own rows, and one row of each neighbour above and below them. */
struct strip {
    int rows;
    double *now;
    double *next;
};

/* strip.c: returns 0 where there is no memory. */
int strip_make(struct strip *strip, int rows, int is_first);
void strip_free(struct strip *strip);
/* One step; returns how much the numbers changed in all. */
double strip_relax(struct strip *strip);

/* exchange.c: fills the outer rows from the neighbours. */
void exchange(struct strip *strip, int rank, int ranks);
/* How many exchanges this rank has made. */
extern int exchanges;

#endif
