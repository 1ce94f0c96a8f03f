/* Which processors this process may use, and to which parts of the node they belong. */
#define _GNU_SOURCE
#include "places.h"
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { PATH_SIZE = 128 };

/* The first number in a file of the processor's topology, or -1. */
static int read_topology(int cpu, const char *name) {
    char path[PATH_SIZE];
    int number = -1;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/%s", cpu, name);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fscanf(file, "%d", &number) != 1) {
            number = -1;
        }
        fclose(file);
    }
    return number;
}

/* The NUMA node to which the processor's folder links; 0 for a kernel without NUMA. */
static int numa_node(int cpu) {
    char path[PATH_SIZE];
    int node = 0;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d", cpu);
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return -1;
    }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (sscanf(entry->d_name, "node%d", &node) == 1) {
            break;
        }
    }
    closedir(folder);
    return node;
}

static int place_of(enum place place, int cpu) {
    switch (place) {
    case PLACE_CORE:
        return read_topology(cpu, "thread_siblings_list");
    case PLACE_SOCKET:
        return read_topology(cpu, "physical_package_id");
    case PLACE_NUMA:
        return numa_node(cpu);
    default:
        return cpu;
    }
}

static void write_ranges(const cpu_set_t *set, char *text, size_t size) {
    size_t used = 0;
    for (int first = 0; first < CPU_SETSIZE && used + 32 < size; first++) {
        if (!CPU_ISSET(first, set)) {
            continue;
        }
        int last = first;
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, set)) {
            last++;
        }
        const char *comma = used ? "," : "";
        used += (size_t)(last > first
                             ? snprintf(text + used, size - used, "%s%d-%d", comma, first, last)
                             : snprintf(text + used, size - used, "%s%d", comma, first));
        first = last;
    }
}

void weft_describe_places(enum place place, char *text, size_t size) {
    cpu_set_t cpus;
    cpu_set_t found;
    snprintf(text, size, "unknown");
    if (sched_getaffinity(0, sizeof cpus, &cpus) != 0) {
        return;
    }
    CPU_ZERO(&found);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, &cpus)) {
            int number = place_of(place, cpu);
            if (number < 0 || number >= CPU_SETSIZE) {
                return;
            }
            CPU_SET(number, &found);
        }
    }
    write_ranges(&found, text, size);
}
