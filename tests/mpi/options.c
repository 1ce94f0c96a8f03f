/* Options of the command line that ranks read by turns: each call of getopt is followed by a call
 * of MPI, so that all ranks are amid their words. */
#include <getopt.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank;

static void show(int letter, int index) {
    printf("%d: %c %s %d %d\n", rank, letter < 32 ? '0' + letter : letter,
           optarg != NULL ? optarg : "-", index, optind);
}

static void words_that_are_no_options(void) {
    char own[16];
    snprintf(own, sizeof own, "-n%d", rank);
    char *words[] = {"p", "first", own, "-ab", "-c", "value", "second", "--", "-a", NULL};
    optind = 0;
    for (int letter; (letter = getopt(9, words, "abc:n:")) != -1;) {
        show(letter, 0);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int i = optind; i < 9; i++) {
        printf("%d: left %s\n", rank, words[i]);
    }
}

static void long_names(void) {
    static int verbose;
    static const struct option names[] = {{"size", required_argument, NULL, 's'},
                                          {"steps", optional_argument, NULL, 't'},
                                          {"verbose", no_argument, &verbose, 7},
                                          {NULL, 0, NULL, 0}};
    char own[16];
    snprintf(own, sizeof own, "--size=%d", 10 * rank);
    char *words[] = {"p", "--verb", own, "--st", "--size", "4", "--s", "--other", "-x", NULL};
    optind = 0;
    opterr = 0;
    int index = -1;
    for (int letter; (letter = getopt_long(9, words, "+s:", names, &index)) != -1; index = -1) {
        show(letter, index);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    printf("%d: verbose %d\n", rank, verbose);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    words_that_are_no_options();
    long_names();
    MPI_Finalize();
    return 0;
}
