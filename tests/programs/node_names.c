/* Ranks of one node have the name of their node wherever they ask for it, and those of other nodes
 * have others. Every argument is the number of ranks of a node. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static int wrong;

static void same(const char *name, const char *other, const char *call) {
    if (other == NULL || strcmp(name, other) != 0) {
        wrong++;
        printf("WRONG %s says %s, not %s\n", call, other == NULL ? "nothing" : other, name);
    }
}

int main(int argc, char **argv) {
    int ranks, length, local, here = 0, all;
    char name[MPI_MAX_PROCESSOR_NAME] = "", host[64] = "", few[4];
    struct utsname system;
    MPI_Comm node;
    gethostname(host, sizeof host);
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Get_processor_name(name, &length);
    char *names = malloc((size_t)ranks * sizeof name);
    MPI_Allgather(name, sizeof name, MPI_CHAR, names, sizeof name, MPI_CHAR, MPI_COMM_WORLD);
    for (int each = 0; each < ranks; each++) {
        here += strcmp(name, names + (size_t)each * sizeof name) == 0;
    }
    same(name, host, "gethostname");
    uname(&system);
    same(name, system.nodename, "uname");
    same("Linux", system.sysname, "uname of the system");
    same(name, getenv("HOSTNAME"), "HOSTNAME");
    wrong += (size_t)length != strlen(name) || gethostname(few, sizeof few) == 0;
    setenv("MINE", "value", 1);
    same("value", getenv("MINE"), "another variable");
    wrong += getenv("MIN") != NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &local);
    if (here != local || local != atoi(argv[1])) {
        wrong++;
        printf("WRONG %d ranks are called %s, but %d share its memory\n", here, name, local);
    }
    long own = gethostid(), first = own;
    MPI_Bcast(&first, 1, MPI_LONG, 0, node);
    wrong += own != first;
    MPI_Bcast(&first, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    wrong += (own == first) != (strcmp(name, names) == 0);
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_free(&node);
    free(names);
    MPI_Finalize();
    return all;
}
