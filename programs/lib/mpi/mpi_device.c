/* Computing beside which collectives go on: that of a device with a queue of its own. */
#include "mpi_schedule.h"

void mgen_device_comp(double seconds) {
    mgen_label("MGEN_Device_comp");
    MGEN_Request timer = MGEN_REQUEST_NULL;
    mgen_timer(seconds, &timer);
    while (timer != MGEN_REQUEST_NULL) {
        MGEN_Status status;
        mgen_wait_for_one(1, &timer, &status);
        mgen_schedules_advance();
    }
    mgen_leave();
}
