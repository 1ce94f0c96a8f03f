/* Functions of the C library that every rank of the simulator has for itself. A program's own
 * function of the same name replaces them, and the linker drops those that no program calls, with
 * their state. */
#ifndef MGEN_OF_A_RANK_H
#define MGEN_OF_A_RANK_H

#define OF_A_RANK __attribute__((weak, visibility("hidden")))

#endif
