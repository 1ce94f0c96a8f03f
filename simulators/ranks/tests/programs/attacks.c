/* Rank 0 tries what the first argument says and returns 0 if that succeeds, else the error. */
#define _GNU_SOURCE
#include "mgen.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int before_main;

static int opens(const char *path, int flags) {
    return open(path, flags, 0600) < 0 ? errno : 0;
}

__attribute__((constructor)) static void before(void) {
    before_main = opens("/etc/passwd", O_RDONLY);
}

static void *nothing(void *given) {
    return given;
}

/* A thread of the process, and not of the rank: functions of the C library begin and end it. It
 * must not run when the program has been unloaded. */
static int thread(void) {
    pthread_t made;
    __typeof__(&pthread_create) create;
    __typeof__(&pthread_join) join;
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    *(void **)&join = dlsym(RTLD_NEXT, "pthread_join");
    int code = create(&made, NULL, nothing, NULL);
    return code != 0 ? code : join(made, NULL);
}

static int child(void) {
    pid_t made = fork();
    if (made == 0) {
        _exit(0);
    }
    return made < 0 ? errno : 0;
}

/* A folder with a file under two names, one after the other; all of it goes. */
static int own_folder(void) {
    struct stat found;
    int made = mkdir("own", 0777) == 0 && mkdir("own/below", 0777) == 0;
    made = made && opens("own/below/first", O_WRONLY | O_CREAT) == 0;
    made = made && rename("own/below/first", "own/below/second") == 0;
    made = made && stat("own/below/second", &found) == 0;
    made = made && unlink("own/below/second") == 0 && rmdir("own/below") == 0;
    return made && rmdir("own") == 0 ? 0 : errno;
}

static int answer(const char *text) {
    for (int descriptor = 3; descriptor < 64; descriptor++) {
        char path[64], target[64] = "";
        snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
        if (readlink(path, target, sizeof target - 1) > 0 && strncmp(target, "pipe:", 5) == 0 &&
            (fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_WRONLY) {
            dprintf(descriptor, "%s\n", text);
            _exit(0);
        }
    }
    return ENOENT;
}

static int tries(const char *what, const char *argument) {
    if (strcmp(what, "constructor") == 0) {
        return before_main;
    } else if (strcmp(what, "read") == 0) {
        return opens(argument, O_RDONLY);
    } else if (strcmp(what, "append") == 0) {
        return opens(argument, O_WRONLY | O_APPEND);
    } else if (strcmp(what, "truncate") == 0) {
        return truncate(argument, 0) < 0 ? errno : 0;
    } else if (strcmp(what, "empty") == 0) {
        return opens(argument, O_RDONLY | O_TRUNC);
    } else if (strcmp(what, "create") == 0) {
        return opens(argument, O_WRONLY | O_CREAT);
    } else if (strcmp(what, "unlink") == 0) {
        return unlink(argument) < 0 ? errno : 0;
    } else if (strcmp(what, "rename") == 0) {
        return rename(argument, "taken") < 0 ? errno : 0;
    } else if (strcmp(what, "own_folder") == 0) {
        return own_folder();
    } else if (strcmp(what, "folder") == 0) {
        return mkdir(argument, 0777) < 0 ? errno : 0;
    } else if (strcmp(what, "no_folder") == 0) {
        return rmdir(argument) < 0 ? errno : 0;
    } else if (strcmp(what, "symlink") == 0) {
        return symlink("/etc/passwd", argument) < 0 ? errno : 0;
    } else if (strcmp(what, "hard_link") == 0) {
        return link("/proc/self/status", argument) < 0 ? errno : 0;
    } else if (strcmp(what, "socket") == 0) {
        return socket(AF_INET, SOCK_STREAM, 0) < 0 ? errno : 0;
    } else if (strcmp(what, "unix_socket") == 0) {
        return socket(AF_UNIX, SOCK_STREAM, 0) < 0 ? errno : 0;
    } else if (strcmp(what, "ptrace") == 0) {
        return ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) < 0 ? errno : 0;
    } else if (strcmp(what, "memory_of_parent") == 0) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/mem", (int)getppid());
        return opens(path, O_RDONLY);
    } else if (strcmp(what, "kill_parent") == 0) {
        return kill(getppid(), 0) < 0 ? errno : 0;
    } else if (strcmp(what, "fork") == 0) {
        return child();
    } else if (strcmp(what, "thread") == 0) {
        return thread();
    } else if (strcmp(what, "execute") == 0) {
        execl("/bin/true", "true", (char *)NULL);
        return errno;
    } else if (strcmp(what, "outlive") == 0) {
        return prctl(PR_SET_PDEATHSIG, 0) < 0 ? errno : 0;
    } else if (strcmp(what, "io_uring") == 0) {
        return syscall(SYS_io_uring_setup, 0, NULL) < 0 && errno != EFAULT ? errno : 0;
    } else if (strcmp(what, "nowhere") == 0) {
        return opens("/dev/null", O_WRONLY | O_TRUNC);
    } else if (strcmp(what, "limits") == 0) {
        struct rlimit stack;
        return getrlimit(RLIMIT_STACK, &stack) < 0 ? errno : 0;
    } else if (strcmp(what, "new_limits") == 0) {
        struct rlimit stack = {0};
        return setrlimit(RLIMIT_CORE, &stack) < 0 ? errno : 0;
    } else if (strcmp(what, "threads_of_libraries") == 0) {
        return atoi(getenv("OMP_NUM_THREADS")) != 1 || atoi(getenv("OPENBLAS_NUM_THREADS")) != 1;
    } else if (strcmp(what, "own_signal") == 0) {
        return kill(getpid(), 0) < 0 ? errno : 0;
    } else if (strcmp(what, "answer") == 0) {
        return answer(argument);
    }
    return 99;
}

int MGEN_Main(int argc, char **argv) {
    int rank;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    return rank == 0 ? tries(argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "") : 0;
}
