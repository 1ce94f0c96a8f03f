/* The times of the repetitions at one size, by metric. */
#ifndef WEFT_SAMPLES_H
#define WEFT_SAMPLES_H

#include <stdio.h>

/* What the runners measure themselves. */
#define PROGRAM_TIME "program_time_s"

enum { METRICS_MAX = 32, METRIC_SIZE = 64 };

struct samples {
    char names[METRICS_MAX][METRIC_SIZE];
    double *values[METRICS_MAX]; /* by repetition; below 0 where none was reported */
    double *lost;                /* by repetition: 1 where this rank lost its processor */
    int count;
    int repetitions; /* length of `values` */
    int current;     /* the repetition in progress; below 0 nothing is kept */
};

/* Makes room for so many repetitions; forgets the metrics. */
void weft_samples_begin(struct samples *samples, int repetitions);

/* Keeps the largest time of a metric in the repetition in progress. Returns 0, or -1 if there are
 * too many metrics, or if the name is too long or does not end with _s. */
int weft_samples_add(struct samples *samples, const char *metric, double seconds);

/* Stores that this rank lost its processor in the repetition in progress. */
void weft_samples_disturbed(struct samples *samples);

/* Writes the largest value of all ranks by metric and repetition, and how many of them lost their
 * processor in it: rank 0 to `file`. All ranks take part. `bytes` below 0 means that there is no
 * size. Returns 0, or -1 if memory is missing. */
int weft_samples_write(struct samples *samples, int bytes, FILE *file);

/* The median of this rank's times so far of a metric; 0 without any. */
double weft_samples_median(const struct samples *samples, const char *metric);

void weft_samples_free(struct samples *samples);

#endif
