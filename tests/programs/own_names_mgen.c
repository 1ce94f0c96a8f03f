/* A program of MGEN that has names of its own for what the runner and the collectives have. */
#include "mgen.h"
#include <getopt.h>
#include <stdlib.h>

int all_agree = 1;
int session_begin(void);
int collective_begin(void);
int samples_add(void);
int write_header(void);

int session_begin(void) {
    return all_agree;
}

int collective_begin(void) {
    return session_begin();
}

int samples_add(void) {
    return collective_begin();
}

int write_header(void) {
    return samples_add();
}

int MGEN_Main(int argc, char **argv) {
    int number = 0;
    int sum = 0;
    int size = 0;
    int letter;
    while ((letter = getopt(argc, argv, "n:q")) != -1) {
        number = letter == 'n' ? atoi(optarg) : number;
    }
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    number += write_header();
    MGEN_Allreduce(&number, &sum, 1, MGEN_INT, MGEN_SUM, MGEN_COMM_WORLD);
    return sum == 18 * size ? 0 : 4;
}
