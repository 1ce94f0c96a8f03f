/* The name of the node on which a rank runs, wherever a program asks for it: ranks of one node have
 * one name, and other nodes have others. */
#define _GNU_SOURCE
#include "mgen_host.h"
#include "of_a_rank.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Also before MPI_Init. */
static int own_node(void) {
    return mgen_node(MGEN_PROC_NULL);
}

int mgen_node_name(char *name, size_t room) {
    return snprintf(name, room, "node%d", own_node());
}

OF_A_RANK int gethostname(char *name, size_t room) {
    if ((size_t)mgen_node_name(name, room) < room) {
        return 0;
    }
    errno = ENAMETOOLONG;
    return -1;
}

OF_A_RANK int uname(struct utsname *system) {
    int code = (int)syscall(SYS_uname, system);
    if (code == 0) {
        mgen_node_name(system->nodename, sizeof system->nodename);
    }
    return code;
}

OF_A_RANK long gethostid(void) {
    return own_node();
}

/* The environment belongs to all ranks, apart from this. */
OF_A_RANK char *getenv(const char *name) {
    static char own[24];
    if (strcmp(name, "HOSTNAME") == 0) {
        mgen_node_name(own, sizeof own);
        return own;
    }
    size_t length = strlen(name);
    for (char **each = environ; each != NULL && *each != NULL; each++) {
        if (strncmp(*each, name, length) == 0 && (*each)[length] == '=') {
            return *each + length + 1;
        }
    }
    return NULL;
}
