/* Collectives that go on while the rank does something else: schedules of messages and copies,
 * which the algorithms of programs/lib have written down (collective.h). */
#ifndef MPI_SCHEDULE_H
#define MPI_SCHEDULE_H

#include "mpi_state.h"

/* From here on, until mgen_record_end, what collectives do is written down and not done. One that
 * the rank waits for has the tags that it has where nothing is written down: others of its ranks
 * may not write it down. */
void mgen_record_begin(MPI_Comm comm, int is_waited_for);
struct schedule *mgen_record_end(void);
/* Data have come into their copy: they go to the program's memory, now or when the schedule says.
 */
void mgen_later_received(struct dense *dense);
/* Whether schedules of the rank go on. */
int mgen_is_busy(void);
/* Does what can be done now. */
void mgen_schedules_advance(void);
/* The program asks whether the schedule is done, which it was not: lets time pass if the program
 * asks again and again. */
void mgen_schedule_test(struct schedule *schedule);
int mgen_schedule_is_done(const struct schedule *schedule);
void mgen_schedule_free(struct schedule *schedule);
/* Waits until one of the requests or one of a schedule is complete, and ends the first that is; a
 * request becomes MGEN_REQUEST_NULL. Another thread may have helped the schedules on meanwhile. */
void mgen_wait_for_one(int count, MGEN_Request *requests, MGEN_Status *statuses);

#endif
