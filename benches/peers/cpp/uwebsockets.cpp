// A relay that does nothing but relay, on uWebSockets: the least that a server of sockets can do.
//
//   uwebsockets    listens on a free port of the loopback address, prints it, and runs until it is killed
//
// A client of `/frame` gets a short frame for each of its own. Clients of `/topic` get what any client of
// `/publish` sends; that one gets a short frame in return.

#include <cstdio>
#include <string>
#include <string_view>

#include "App.h"

static constexpr std::string_view SHORT = R"({"type":"pong"})";
static constexpr std::string_view TOPIC = "topic";

struct Nothing {};

using Socket = uWS::WebSocket<false, true, Nothing>;

// Nobody is timed out, and nothing is compressed.
static uWS::App::WebSocketBehavior<Nothing> behavior() {
    uWS::App::WebSocketBehavior<Nothing> behavior;
    behavior.compression = uWS::DISABLED;
    behavior.idleTimeout = 0;
    behavior.maxPayloadLength = 1024 * 1024;
    behavior.maxBackpressure = 16 * 1024 * 1024;
    return behavior;
}

int main() {
    uWS::App app;

    auto frame = behavior();
    frame.message = [](Socket *socket, std::string_view, uWS::OpCode code) { socket->send(SHORT, code); };

    auto topic = behavior();
    topic.open = [](Socket *socket) { socket->subscribe(TOPIC); };

    auto publish = behavior();
    publish.message = [&app](Socket *socket, std::string_view message, uWS::OpCode code) {
        app.publish(TOPIC, message, code);
        socket->send(SHORT, code);
    };

    app.ws<Nothing>("/frame", std::move(frame))
        .ws<Nothing>("/topic", std::move(topic))
        .ws<Nothing>("/publish", std::move(publish))
        .listen("127.0.0.1", 0, [](auto *listening) {
            if (listening == nullptr) return;
            int port = us_socket_local_port(0, reinterpret_cast<us_socket_t *>(listening));
            std::printf("{\"ready\":true,\"url\":\"http://127.0.0.1:%d\"}\n", port);
            std::fflush(stdout);
        })
        .run();
    return 1;
}
