/* A plain program that has names of its own for what runners and libraries have, too, reads its
 * arguments by getopt, asks for threads, and leaves by exit after MPI_Finalize. */
#include <getopt.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int all_agree = 1;
int run = 1;
int options_words = 1;

int complain(void);
int write_header(void);
int write_usage(void);
int samples_add(void);
int session_begin(void);
int once(void);

int complain(void) {
    return all_agree;
}

int write_header(void) {
    return complain();
}

int write_usage(void) {
    return write_header();
}

int samples_add(void) {
    return write_usage();
}

int session_begin(void) {
    return samples_add();
}

int once(void) {
    return session_begin();
}

static int called(void) {
    static int completed;
    return ++completed;
}

static void check(int ok, const char *what) {
    if (!ok) {
        printf("%s\n", what);
        exit(4);
    }
}

static int read_number(int argc, char **argv) {
    static const struct option LONG[] = {{"number", required_argument, NULL, 'n'},
                                         {"quick", no_argument, NULL, 'q'},
                                         {NULL, 0, NULL, 0}};
    int number = 0;
    int letter;
    while ((letter = getopt_long(argc, argv, "n:q", LONG, NULL)) != -1) {
        if (letter == 'n') {
            number = atoi(optarg);
        } else {
            check(letter == 'q', "an option that nobody gave");
        }
    }
    check(optind == argc, "words are left");
    return number;
}

int main(int argc, char **argv) {
    int provided = -1;
    int rank = -1;
    int number = 0;
    int sum = 0;
    int size = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    check(provided >= MPI_THREAD_FUNNELED, "no threads");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    check(read_number(argc, argv) == 17, "not the number that was given");
    number = once() + called();
    MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check(sum == 2 * size, "a function or a variable of somebody else");
    MPI_Finalize();
    exit(0);
}
