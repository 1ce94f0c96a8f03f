/* Functions of the C library that every rank of the simulator has for itself. A program's own
 * function of the same name replaces them, and the linker drops those that no program calls, with
 * their state. */
#ifndef MGEN_OF_A_RANK_H
#define MGEN_OF_A_RANK_H

/* A runtime library that is loaded beside a program finds them only if they are visible. */
#ifdef MGEN_BESIDE_RUNTIME
#define OF_A_RANK __attribute__((weak))
#else
#define OF_A_RANK __attribute__((weak, visibility("hidden")))
#endif

#endif
