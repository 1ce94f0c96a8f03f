/* What a program calls in place of the beginning and the end of MPI, and of exit. */
#ifndef WEFT_PLAIN_RUNNER_H
#define WEFT_PLAIN_RUNNER_H

int weft_init(int *argc, char ***argv);
int weft_init_thread(int *argc, char ***argv, int required, int *provided);
int weft_finalize(void);
int weft_initialized(int *flag);
int weft_finalized(int *flag);
_Noreturn void weft_exit(int code);
/* Whether the program runs. */
int weft_is_called(void);

#endif
