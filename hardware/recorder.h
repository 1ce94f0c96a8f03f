/* The recorder of calls (trace/), which weft preloads where an experiment asks for a trace. */
#ifndef WEFT_RECORDER_H
#define WEFT_RECORDER_H

/* The program begins and ends. Both do nothing where no recorder is loaded. */
void weft_recorder_begin(void);
void weft_recorder_end(void);

#endif
