/* A platform of SimGrid from a description that weft writes: one statement a line, its first word
 * says what it is.
 *
 *   setting NAME VALUE                        a setting of SimGrid
 *   channel NUMBER BANDWIDTH LATENCY          bytes per second, seconds
 *   node NUMBER
 *   route FROM TO DELAY COUNT CHANNEL...      seconds before its first byte flows
 *   message NUMBER FROM TO BYTES START        seconds
 *   outstanding COUNT                         messages of a node that may be under way
 *   alone BANDWIDTH                           of a message from a node to itself
 */
#ifndef WEFT_PLATFORM_HPP
#define WEFT_PLATFORM_HPP

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace weft {

struct Channel {
    long number;
    double bandwidth_bytes_per_s, latency_s;
};

struct Route {
    long from, to;
    double delay_s;
    std::vector<long> channels;
};

struct Message {
    long number, from, to;
    std::uint64_t bytes;
    double start_s;
};

struct Description {
    std::vector<std::pair<std::string, std::string>> settings;
    std::vector<Channel> channels;
    std::vector<long> nodes;
    std::vector<Route> routes;
    std::vector<Message> messages;
    long outstanding = 1;
    double alone_bytes_per_s = 0;
};

/* Reads a description; ends the process with a message when it cannot. */
Description read_description(const std::string &path);

/* Applies the settings, before the platform is there. */
void apply_settings(const Description &description);

/* Makes a host of each node, named by its number, a link of each channel, and the routes. */
void make_platform(const Description &description);

} // namespace weft

#endif
