/* Plays a list of messages: every node sends its own in their order, and at most `outstanding` of
 * them are under way. Writes a line `NUMBER START END` for each to a file, in the order of the
 * list. */
#include "platform.hpp"

#include <simgrid/s4u.hpp>
#include <simgrid/version.h>

#include <algorithm>
#include <cstdio>
#include <map>

namespace s4u = simgrid::s4u;

namespace {

struct Sender {
    std::vector<const weft::Message *> messages;
    std::size_t next = 0;
};

struct Times {
    double start_s, end_s;
};

/* One of the messages that a node may have under way, after the other. */
void send_in_turn(Sender *sender, const weft::Description *description, std::vector<Times> *times) {
    while (sender->next < sender->messages.size()) {
        const weft::Message *message = sender->messages[sender->next++];
        s4u::this_actor::sleep_until(message->start_s);
        double start_s = s4u::Engine::get_clock();
        if (message->from == message->to) {
            /* It crosses no channel. */
            double bytes = static_cast<double>(message->bytes);
            s4u::this_actor::sleep_for(bytes / description->alone_bytes_per_s);
        } else {
            s4u::Comm::sendto(s4u::this_actor::get_host(),
                              s4u::Host::by_name(std::to_string(message->to)), message->bytes);
        }
        (*times)[message - description->messages.data()] = {start_s, s4u::Engine::get_clock()};
    }
}

void start_sender(s4u::Host *host, Sender *sender, const weft::Description *description,
                  std::vector<Times> *times) {
#if SIMGRID_VERSION < 40000
    s4u::Actor::create("sender", host, send_in_turn, sender, description, times);
#else
    s4u::Engine::get_instance()->add_actor("sender", host, send_in_turn, sender, description,
                                           times);
#endif
}

} // namespace

int main(int argc, char **argv) {
    s4u::Engine engine(&argc, argv);
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s DESCRIPTION TIMES\n", argv[0]);
        return 2;
    }
    const weft::Description description = weft::read_description(argv[1]);
    weft::apply_settings(description);
    weft::make_platform(description);
    std::map<long, Sender> senders;
    for (const weft::Message &message : description.messages)
        senders[message.from].messages.push_back(&message);
    std::vector<Times> times(description.messages.size());
    for (auto &[node, sender] : senders) {
        std::size_t slots = std::min<std::size_t>(description.outstanding, sender.messages.size());
        s4u::Host *host = s4u::Host::by_name(std::to_string(node));
        for (std::size_t slot = 0; slot < slots; slot++)
            start_sender(host, &sender, &description, &times);
    }
    engine.run();
    std::FILE *file = std::fopen(argv[2], "w");
    if (file == nullptr) {
        std::perror(argv[2]);
        return 2;
    }
    for (std::size_t at = 0; at < times.size(); at++)
        std::fprintf(file, "%ld %.17g %.17g\n", description.messages[at].number, times[at].start_s,
                     times[at].end_s);
    if (std::fclose(file) != 0) {
        std::perror(argv[2]);
        return 2;
    }
    return 0;
}
