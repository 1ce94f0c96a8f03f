#include "platform.hpp"

#include <simgrid/s4u.hpp>
#include <simgrid/version.h>
#if SIMGRID_VERSION < 40000
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#endif

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <unordered_set>

namespace s4u = simgrid::s4u;

namespace weft {
namespace {

/* SimGrid divides a link by the latencies of the flows on it. With delays as factors of one and the
 * same latency, every flow counts alike. */
constexpr double SAME_LATENCY_S = 1.0;

[[noreturn]] void fail(const std::string &reason) {
    std::fprintf(stderr, "weft: %s\n", reason.c_str());
    std::exit(2);
}

/* Precisions got their present names after SimGrid 3.32. */
std::string known_name(const std::string &name) {
#if SIMGRID_VERSION < 33400
    if (name == "precision/timing")
        return "surf/precision";
    if (name == "precision/work-amount")
        return "maxmin/precision";
#endif
    return name;
}

Route read_route(std::istream &words) {
    Route route{};
    std::size_t count = 0;
    words >> route.from >> route.to >> route.delay_s >> count;
    route.channels.resize(count);
    for (long &channel : route.channels)
        words >> channel;
    return route;
}

s4u::NetZone *new_zone() {
#if SIMGRID_VERSION < 40000
    return s4u::create_full_zone("weft");
#else
    return s4u::Engine::get_instance()->get_netzone_root()->add_netzone_full("weft");
#endif
}

s4u::Host *new_host(s4u::NetZone *zone, const std::string &name) {
#if SIMGRID_VERSION < 40000
    return zone->create_host(name, 1e9);
#else
    return zone->add_host(name, 1e9);
#endif
}

s4u::Link *new_link(s4u::NetZone *zone, const std::string &name, double bandwidth_bytes_per_s) {
#if SIMGRID_VERSION < 40000
    return zone->create_link(name, bandwidth_bytes_per_s);
#else
    return zone->add_link(name, bandwidth_bytes_per_s);
#endif
}

void add_route(s4u::NetZone *zone, s4u::Host *from, s4u::Host *to,
               const std::vector<s4u::LinkInRoute> &links) {
#if SIMGRID_VERSION < 40000
    zone->add_route(from->get_netpoint(), to->get_netpoint(), nullptr, nullptr, links, false);
#else
    zone->add_route(from, to, links, false);
#endif
}

using Delays = std::unordered_map<const s4u::Host *, std::unordered_map<const s4u::Host *, double>>;

/* Gives every route the delay that the description says. */
void delay_routes(s4u::NetZone *zone, std::shared_ptr<const Delays> delays) {
    auto factor = [delays](double, const s4u::Host *from, const s4u::Host *to,
                           const std::vector<s4u::Link *> &,
                           const std::unordered_set<s4u::NetZone *> &) {
        return from == to ? 1.0 : delays->at(from).at(to) / SAME_LATENCY_S;
    };
#if SIMGRID_VERSION < 40000
    zone->get_network_model()->set_lat_factor_cb(factor);
#else
    zone->set_latency_factor_cb(factor);
#endif
}

} // namespace

Description read_description(const std::string &path) {
    std::ifstream file(path);
    if (!file)
        fail("cannot read " + path);
    Description read;
    std::string line;
    for (long number = 1; std::getline(file, line); number++) {
        std::istringstream words(line);
        std::string kind;
        words >> kind;
        if (kind == "setting") {
            std::string name, value;
            words >> name >> value;
            read.settings.emplace_back(name, value);
        } else if (kind == "channel") {
            Channel channel{};
            words >> channel.number >> channel.bandwidth_bytes_per_s >> channel.latency_s;
            read.channels.push_back(channel);
        } else if (kind == "node") {
            long node = 0;
            words >> node;
            read.nodes.push_back(node);
        } else if (kind == "route") {
            read.routes.push_back(read_route(words));
        } else if (kind == "message") {
            Message message{};
            words >> message.number >> message.from >> message.to >> message.bytes >>
                message.start_s;
            read.messages.push_back(message);
        } else if (kind == "outstanding") {
            words >> read.outstanding;
        } else if (kind == "alone") {
            words >> read.alone_bytes_per_s;
        } else {
            words.setstate(std::ios::failbit);
        }
        if (words.fail())
            fail(path + ":" + std::to_string(number) + ": cannot read '" + line + "'");
    }
    return read;
}

void apply_settings(const Description &description) {
    for (const auto &[name, value] : description.settings)
        s4u::Engine::set_config(known_name(name) + ":" + value);
}

void make_platform(const Description &description) {
    s4u::NetZone *zone = new_zone();
    std::unordered_map<long, s4u::Host *> hosts;
    for (long node : description.nodes)
        hosts[node] = new_host(zone, std::to_string(node));
    bool delayed = std::any_of(description.routes.begin(), description.routes.end(),
                               [](const Route &route) { return route.delay_s > 0; });
    std::unordered_map<long, s4u::Link *> links;
    for (const Channel &channel : description.channels) {
        s4u::Link *link =
            new_link(zone, std::to_string(channel.number), channel.bandwidth_bytes_per_s);
        links[channel.number] = link->set_latency(channel.latency_s);
    }
    auto delays = std::make_shared<Delays>();
    for (const Route &route : description.routes) {
        std::vector<s4u::LinkInRoute> path;
        for (long channel : route.channels)
            path.emplace_back(links.at(channel));
        s4u::Host *from = hosts.at(route.from), *to = hosts.at(route.to);
        if (delayed) {
            links.at(route.channels.front())->set_latency(SAME_LATENCY_S);
            (*delays)[from][to] = route.delay_s;
        }
        add_route(zone, from, to, path);
    }
    zone->seal();
    if (delayed)
        delay_routes(zone, delays);
}

} // namespace weft
