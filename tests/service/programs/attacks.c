/* Tries what strangers try; its exit code is the number of attempts that succeed. */
#define _GNU_SOURCE
#include "mgen.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static int succeeded;

static void tried(const char *what, int success) {
    printf("attempt %s: %s\n", what, success ? "SUCCEEDS" : "fails");
    fflush(stdout);
    succeeded += success != 0;
}

static void *nothing(void *given) {
    return given;
}

/* A thread of the process, and not of the rank: the function of the C library begins it. */
static int thread(void) {
    pthread_t made;
    __typeof__(&pthread_create) create;
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    return create(&made, NULL, nothing, NULL);
}

static void opens(const char *path, int flags) {
    int file = open(path, flags, 0600);
    tried(path, file >= 0);
    if (file >= 0) {
        close(file);
    }
}

__attribute__((constructor)) static void before_main(void) {
    opens("/etc/hostname", O_RDONLY);
}

int MGEN_Main(int argc, char **argv) {
    const char *victims[] = {/* PATHS */, NULL};
    int rank, own;
    (void)argc;
    (void)argv;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    if (rank != 0) {
        return 0;
    }
    opens("/etc/passwd", O_RDONLY);
    opens("/proc/self/environ", O_RDONLY);
    for (int i = 0; victims[i] != NULL; i++) {
        opens(victims[i], O_RDONLY);
        opens(victims[i], O_WRONLY | O_APPEND);
        tried("unlink", unlink(victims[i]) == 0);
    }
    opens("journal.jsonl", O_WRONLY | O_APPEND);
    opens("../journal-forged.jsonl", O_WRONLY | O_CREAT);
    /* A program may write in its own folder, which ends with the point. */
    own = open("messages-forged.csv", O_WRONLY | O_CREAT, 0600);
    printf("its own folder: %s\n", own >= 0 ? "writable" : "closed");
    tried("symlink", symlink("/etc/passwd", "history-x.json") == 0);
    tried("link", link("/etc/passwd", "history-y.json") == 0);
    tried("mkdir", mkdir("../folder", 0700) == 0);
    tried("socket", socket(AF_INET, SOCK_STREAM, 0) >= 0);
    tried("unix socket", socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
    tried("ptrace", ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0);
    tried("kill", kill(getppid(), SIGKILL) == 0);
    tried("fork", fork() >= 0);
    tried("thread", thread() == 0);
    tried("shell", system("true") == 0);
    return succeeded;
}
