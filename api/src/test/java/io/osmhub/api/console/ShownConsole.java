package io.osmhub.api.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.api.http.Reply;
import io.osmhub.api.http.WebPage;
import io.osmhub.api.ops.FleetStatistics;
import io.osmhub.api.problem.ApiProblem;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A console over a fleet that stands still, asked by addresses. */
final class ShownConsole {
    static final Instant NOW = Instant.parse("2026-11-21T10:40:31Z");

    private final WebConsole console;

    ShownConsole(FixedFleet fleet) {
        this(new WebConsole(fleet.operations(), new FleetStatistics(), () -> 0, null, InstantSource.fixed(NOW)));
    }

    ShownConsole(WebConsole console) {
        this.console = console;
    }

    String get(String address) throws ApiProblem {
        return html(reply("GET", address, Map.of()));
    }

    String post(String address, Map<String, String> form) throws ApiProblem {
        return html(reply("POST", address, form));
    }

    Reply reply(String method, String address, Map<String, String> form) throws ApiProblem {
        String path = address.contains("?") ? address.substring(0, address.indexOf('?')) : address;
        for (WebPage page : console.pages()) {
            Optional<Map<String, String>> parts = match(page.path(), path);
            if (page.method().equals(method) && parts.isPresent()) {
                PageVisit visit = PageVisit.to(address, parts.get());
                return page.answer().handle(form.isEmpty() ? visit : visit.sending(form));
            }
        }
        throw new AssertionError("no page " + method + " " + address);
    }

    private static Optional<Map<String, String>> match(String pattern, String path) {
        String[] wanted = pattern.split("/", -1);
        String[] given = path.split("/", -1);
        Map<String, String> parts = new HashMap<>();
        for (int at = 0; at < wanted.length; at++) {
            if (wanted.length != given.length) {
                return Optional.empty();
            } else if (wanted[at].startsWith("{")) {
                parts.put(wanted[at].substring(1, wanted[at].length() - 1), given[at]);
            } else if (!wanted[at].equals(given[at])) {
                return Optional.empty();
            }
        }
        return Optional.of(parts);
    }

    static String html(Reply reply) {
        if (!(reply.body() instanceof Reply.ReplyContent content)) {
            throw new AssertionError("no page but " + reply);
        }
        return new String(content.bytes(), UTF_8);
    }
}
