/* Plays a list of messages: every node sends its own in their order, and at most `outstanding` of
 * them are under way. Writes to a file a line `NUMBER START END` for each, in the order of the
 * list, and before them `first SECONDS BYTES`: when the first node had sent all of its messages,
 * and what all nodes had sent until then. */
#include "platform.hpp"

#include <simgrid/s4u.hpp>
#include <simgrid/version.h>

#include <algorithm>
#include <cstdio>
#include <list>
#include <map>

namespace s4u = simgrid::s4u;

namespace {

struct Sender {
    std::vector<const weft::Message *> messages;
    std::size_t next = 0, arrived = 0;
};

struct Times {
    double start_s, end_s;
};

/* A message under way, and SimGrid's share in it; none if it crosses no channel. */
struct Flow {
    const weft::Message *message;
    double start_s;
    s4u::CommPtr comm;
};

struct Play {
    const weft::Description *description;
    std::vector<Times> times;
    std::list<Flow> under_way;
    double sent_bytes, first_s, first_bytes;
};

double unsent_bytes(const Flow &flow, const Play &play) {
    if (flow.comm)
        return flow.comm->get_remaining();
    double passed_s = s4u::Engine::get_clock() - flow.start_s;
    return static_cast<double>(flow.message->bytes) -
           passed_s * play.description->alone_bytes_per_s;
}

/* The first node has sent all of its messages. */
void note_first(Play *play) {
    play->first_s = s4u::Engine::get_clock();
    play->first_bytes = play->sent_bytes;
    for (const Flow &flow : play->under_way)
        play->first_bytes += static_cast<double>(flow.message->bytes) - unsent_bytes(flow, *play);
}

void wait_for(const Flow &flow, const weft::Description *description) {
    if (flow.comm)
        flow.comm->wait();
    else
        s4u::this_actor::sleep_for(static_cast<double>(flow.message->bytes) /
                                   description->alone_bytes_per_s);
}

/* One of the messages that a node may have under way, after the other. */
void send_in_turn(Sender *sender, Play *play) {
    while (sender->next < sender->messages.size()) {
        const weft::Message *message = sender->messages[sender->next++];
        s4u::this_actor::sleep_until(message->start_s);
        Flow flow{message, s4u::Engine::get_clock(), nullptr};
        if (message->from != message->to)
            flow.comm = s4u::Comm::sendto_async(s4u::this_actor::get_host(),
                                                s4u::Host::by_name(std::to_string(message->to)),
                                                message->bytes);
        auto place = play->under_way.insert(play->under_way.end(), flow);
        wait_for(flow, play->description);
        play->under_way.erase(place);
        play->sent_bytes += static_cast<double>(message->bytes);
        play->times[message - play->description->messages.data()] = {flow.start_s,
                                                                     s4u::Engine::get_clock()};
        if (++sender->arrived == sender->messages.size() && play->first_s < 0)
            note_first(play);
    }
}

void start_sender(s4u::Host *host, Sender *sender, Play *play) {
#if SIMGRID_VERSION < 40000
    s4u::Actor::create("sender", host, send_in_turn, sender, play);
#else
    s4u::Engine::get_instance()->add_actor("sender", host, send_in_turn, sender, play);
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
    Play play{&description, std::vector<Times>(description.messages.size()), {}, 0, -1, 0};
    for (auto &[node, sender] : senders) {
        std::size_t slots = std::min<std::size_t>(description.outstanding, sender.messages.size());
        s4u::Host *host = s4u::Host::by_name(std::to_string(node));
        for (std::size_t slot = 0; slot < slots; slot++)
            start_sender(host, &sender, &play);
    }
    engine.run();
    std::FILE *file = std::fopen(argv[2], "w");
    if (file == nullptr) {
        std::perror(argv[2]);
        return 2;
    }
    std::fprintf(file, "first %.17g %.17g\n", play.first_s, play.first_bytes);
    for (std::size_t at = 0; at < play.times.size(); at++)
        std::fprintf(file, "%ld %.17g %.17g\n", description.messages[at].number,
                     play.times[at].start_s, play.times[at].end_s);
    if (std::fclose(file) != 0) {
        std::perror(argv[2]);
        return 2;
    }
    return 0;
}
