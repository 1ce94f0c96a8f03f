/* Whether this process had a processor whenever it needed one. */
#ifndef WEFT_PROCESSOR_H
#define WEFT_PROCESSOR_H

/* How often other work has taken the processor from this process so far. */
long weft_processor_losses(void);

/* For how many seconds this process has waited for a processor so far; 0 if the kernel does not
 * report it. */
double weft_processor_waited_s(void);

#endif
