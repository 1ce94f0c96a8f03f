#include "stencil.h"
#include <math.h>
#include <stdlib.h>

int strip_make(struct strip *strip, int rows, int is_first) {
    size_t count = (size_t)(rows + 2) * WIDTH;
    strip->rows = rows;
    strip->now = calloc(count, sizeof(double));
    strip->next = calloc(count, sizeof(double));
    if (strip->now == NULL || strip->next == NULL) {
        return 0;
    }
    /* The upper edge of the square is hot. */
    for (int column = 0; is_first && column < WIDTH; column++) {
        strip->now[column] = strip->next[column] = 100.0;
    }
    return 1;
}

void strip_free(struct strip *strip) {
    free(strip->now);
    free(strip->next);
}

double strip_relax(struct strip *strip) {
    double changed = 0, *swapped = strip->now;
    for (int row = 1; row <= strip->rows; row++) {
        const double *here = strip->now + (size_t)row * WIDTH;
        double *made = strip->next + (size_t)row * WIDTH;
        for (int column = 1; column < WIDTH - 1; column++) {
            made[column] = 0.25 * (here[column - 1] + here[column + 1] + here[column - WIDTH] +
                                   here[column + WIDTH]);
            changed += fabs(made[column] - here[column]);
        }
    }
    strip->now = strip->next;
    strip->next = swapped;
    return changed;
}
