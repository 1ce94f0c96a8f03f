/* The networks of this node. It lists interfaces by ioctl, because a node that is a network
 * namespace, as in tests, sees the whole machine's interfaces in /sys. */
#define _GNU_SOURCE
#include "places.h"
#include <glob.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PATH_SIZE = 256, RATE_SIZE = 64 };

static void add(char *text, size_t size, const char *name, const char *rate) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s %s", used ? "; " : "", name, rate);
}

/* `path` is <infiniband>/<device>/ports/<port>/rate. */
static void add_port(const char *infiniband, const char *path, char *text, size_t size) {
    char device[RATE_SIZE] = "";
    char name[PATH_SIZE];
    char rate[RATE_SIZE] = "";
    int port = 0;
    if (sscanf(path + strlen(infiniband), "/%63[^/]/ports/%d/rate", device, &port) != 2) {
        return;
    }
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return;
    }
    if (fgets(rate, sizeof rate, file) != NULL) {
        rate[strcspn(rate, "\n")] = '\0';
        snprintf(name, sizeof name, "%s/%d", device, port);
        add(text, size, name, rate);
    }
    fclose(file);
}

static void add_ports(const char *infiniband, char *text, size_t size) {
    char pattern[PATH_SIZE];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/*/ports/*/rate", infiniband);
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            add_port(infiniband, found.gl_pathv[i], text, size);
        }
        globfree(&found);
    }
}

/* True for an interface that carries data to other nodes. */
static int is_in_use(int socket_, const char *name) {
    struct ifreq request = {0};
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    return ioctl(socket_, SIOCGIFFLAGS, &request) == 0 && (request.ifr_flags & IFF_RUNNING) &&
           !(request.ifr_flags & IFF_LOOPBACK);
}

static void add_interface(int socket_, const char *name, char *text, size_t size) {
    struct ethtool_cmd command = {.cmd = ETHTOOL_GSET};
    struct ifreq request = {0};
    char rate[RATE_SIZE] = "rate unknown";
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    request.ifr_data = (char *)&command;
    if (ioctl(socket_, SIOCETHTOOL, &request) == 0) {
        unsigned speed = ethtool_cmd_speed(&command);
        if (speed != (unsigned)SPEED_UNKNOWN && speed != 0) {
            snprintf(rate, sizeof rate, "%u Mbit/s", speed);
        }
    }
    add(text, size, name, rate);
}

void weft_describe_fabric(const char *infiniband, char *text, size_t size) {
    text[0] = '\0';
    add_ports(infiniband, text, size);
    int socket_ = socket(AF_INET, SOCK_DGRAM, 0);
    struct if_nameindex *interfaces = socket_ < 0 ? NULL : if_nameindex();
    for (struct if_nameindex *one = interfaces; one != NULL && one->if_index != 0; one++) {
        if (is_in_use(socket_, one->if_name)) {
            add_interface(socket_, one->if_name, text, size);
        }
    }
    if (interfaces != NULL) {
        if_freenameindex(interfaces);
    }
    if (socket_ >= 0) {
        close(socket_);
    }
    if (text[0] == '\0') {
        snprintf(text, size, "none");
    }
}
