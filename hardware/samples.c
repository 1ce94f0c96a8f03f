/* The times of the repetitions at one size, by metric. */
#include "samples.h"
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

void weft_samples_free(struct samples *samples) {
    for (int i = 0; i < samples->count; i++) {
        free(samples->values[i]);
    }
    free(samples->lost);
    *samples = (struct samples){.current = -1};
}

void weft_samples_begin(struct samples *samples, int repetitions) {
    weft_samples_free(samples);
    samples->repetitions = repetitions;
    samples->lost = calloc((size_t)repetitions, sizeof *samples->lost);
}

void weft_samples_disturbed(struct samples *samples) {
    if (samples->current >= 0 && samples->lost != NULL) {
        samples->lost[samples->current] = 1.0;
    }
}

static int is_time(const char *metric) {
    size_t length = strlen(metric);
    return length > 2 && length < METRIC_SIZE && strcmp(metric + length - 2, "_s") == 0 &&
           strcspn(metric, ",\n") == length;
}

/* The number of the metric, which is added if it is new; -1 if there is no room for it. */
static int find(struct samples *samples, const char *metric) {
    int number = 0;
    while (number < samples->count && strcmp(samples->names[number], metric) != 0) {
        number++;
    }
    if (number < samples->count) {
        return number;
    }
    double *values = number < METRICS_MAX && is_time(metric)
                         ? malloc((size_t)samples->repetitions * sizeof *values)
                         : NULL;
    if (values == NULL) {
        return -1;
    }
    for (int i = 0; i < samples->repetitions; i++) {
        values[i] = -1.0;
    }
    samples->values[number] = values;
    snprintf(samples->names[number], METRIC_SIZE, "%s", metric);
    return samples->count++;
}

int weft_samples_add(struct samples *samples, const char *metric, double seconds) {
    if (samples->current < 0) {
        return is_time(metric) ? 0 : -1;
    }
    int number = find(samples, metric);
    if (number < 0) {
        return -1;
    }
    double *value = &samples->values[number][samples->current];
    *value = seconds > *value ? seconds : *value;
    return 0;
}

/* Gives every rank the metrics of all ranks, in the order of the ranks. */
static int share_names(struct samples *samples) {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char (*all)[METRICS_MAX][METRIC_SIZE] = calloc((size_t)ranks, sizeof *all);
    int ok = all != NULL && samples->lost != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (ok) {
        MPI_Allgather(samples->names, sizeof samples->names, MPI_CHAR, all, sizeof samples->names,
                      MPI_CHAR, MPI_COMM_WORLD);
    }
    for (int rank = 0; ok && rank < ranks; rank++) {
        for (int i = 0; i < METRICS_MAX && all[rank][i][0] != '\0'; i++) {
            ok = ok && find(samples, all[rank][i]) >= 0;
        }
    }
    free(all);
    MPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return ok ? 0 : -1;
}

static void write_metric(const struct samples *samples, int number, int bytes, FILE *file) {
    char size[16] = "";
    if (bytes >= 0) {
        snprintf(size, sizeof size, "%d", bytes);
    }
    const double *values = samples->values[number];
    for (int i = 0; i < samples->repetitions; i++) {
        if (values[i] >= 0) {
            fprintf(file, "%s,%s,%d,%.9e,%.0f\n", samples->names[number], size, i, values[i],
                    samples->lost[i]);
        }
    }
}

/* On rank 0, combines all ranks' values of each repetition by `operation`. */
static void gather(const struct samples *samples, double *values, MPI_Op operation, int is_root) {
    MPI_Reduce(is_root ? MPI_IN_PLACE : values, values, samples->repetitions, MPI_DOUBLE, operation,
               0, MPI_COMM_WORLD);
}

int weft_samples_write(struct samples *samples, int bytes, FILE *file) {
    if (share_names(samples) != 0) {
        return -1;
    }
    gather(samples, samples->lost, MPI_SUM, file != NULL);
    /* Ranks may list metrics in different orders, so rank 0 broadcasts which one to gather now. */
    int count = samples->count;
    for (int i = 0; i < count; i++) {
        char name[METRIC_SIZE];
        memcpy(name, samples->names[i], sizeof name);
        MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
        int number = find(samples, name);
        gather(samples, samples->values[number], MPI_MAX, file != NULL);
        if (file != NULL) {
            write_metric(samples, number, bytes, file);
        }
    }
    return 0;
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

double weft_samples_median(const struct samples *samples, const char *metric) {
    int at = 0;
    while (at < samples->count && strcmp(samples->names[at], metric) != 0) {
        at++;
    }
    size_t many = (size_t)samples->repetitions;
    double *known = at < samples->count ? malloc(many * sizeof *known) : NULL;
    size_t count = 0;
    for (size_t i = 0; known != NULL && i < many; i++) {
        if (samples->values[at][i] >= 0) {
            known[count++] = samples->values[at][i];
        }
    }
    double median = 0.0;
    if (count > 0) {
        qsort(known, count, sizeof *known, ascending);
        median = known[count / 2];
    }
    free(known);
    return median;
}
