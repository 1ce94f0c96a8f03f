/* Where a rank may run, and which networks its node has. */
#ifndef WEFT_PLACES_H
#define WEFT_PLACES_H

#include <stddef.h>

enum place { PLACE_CPU, PLACE_CORE, PLACE_SOCKET, PLACE_NUMA };

/* Writes the processors, cores, sockets or NUMA nodes that this process may use, as "0-3,8"; a core
 * has the number of its first processor. Writes "unknown" if the system does not report them. */
void weft_describe_places(enum place place, char *text, size_t size);

/* Writes the node's InfiniBand ports, found in `infiniband`, and its network interfaces, each with
 * its rate: "mlx5_0/1 200 Gb/sec (4X HDR); eth0 10000 Mbit/s". */
void weft_describe_fabric(const char *infiniband, char *text, size_t size);

#endif
