/* Runs a plain MPI program in SMPI: its main, which is compiled under another name, gets the
 * arguments that the file of words names. A rank's time is the one at which it calls MPI_Finalize;
 * all ranks begin at 0, and MPI_Init takes no time. */
#include "words.h"
#include <mpi.h>
#include <stdio.h>
/* The program calls ours. */
#undef MPI_Finalize
#undef main

enum { BROKEN = 1 };

int PMPI_Finalize(void);
int weft_finalize(void);
int weft_program_main(int argc, char **argv);

static struct words words;
static int is_over;

int weft_finalize(void) {
    is_over = weft_write_time(&words, "program_time_s", MPI_Wtime());
    return PMPI_Finalize();
}

int main(int argc, char **argv) {
    if (!weft_read_words(&words, argc, argv)) {
        fprintf(stderr, "there is no file of words\n");
        return BROKEN;
    }
    int code = weft_program_main(words.argument_count, words.arguments);
    if (code == 0 && !is_over) {
        fprintf(stderr, "the program ended without MPI_Finalize\n");
        code = BROKEN;
    }
    return code;
}
