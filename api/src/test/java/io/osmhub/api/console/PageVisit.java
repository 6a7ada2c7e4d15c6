package io.osmhub.api.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.osmhub.api.access.Caller;
import io.osmhub.api.http.PageCall;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A request for a page, by hand. */
public record PageVisit(
        String address, Map<String, String> path, Map<String, String> form, Optional<String> session, String user)
        implements PageCall {
    public static PageVisit to(String address, Map<String, String> path) {
        return new PageVisit(address, path, Map.of(), Optional.of("session-id"), "platform-admin@example.org");
    }

    PageVisit sending(Map<String, String> fields) {
        Map<String, String> all = new HashMap<>(fields);
        all.putIfAbsent("form", FormTokens.token(this));
        return new PageVisit(address, path, all, session, user);
    }

    PageVisit as(String other) {
        return new PageVisit(address, path, form, session, other);
    }

    @Override
    public String uri() {
        int question = address.indexOf('?');
        return question < 0 ? address : address.substring(0, question);
    }

    @Override
    public Caller caller() {
        return new Caller(user, "", List.of(), Map.of(), null);
    }

    @Override
    public String path(String name) {
        return path.getOrDefault(name, "");
    }

    @Override
    public Optional<String> query(String name) {
        int question = address.indexOf('?');
        return Optional.ofNullable(
                question < 0
                        ? null
                        : PageRouter.parameters(address.substring(question + 1)).get(name));
    }

    @Override
    public List<String> queryList(String name) {
        return query(name).stream().toList();
    }

    @Override
    public Optional<String> header(String name) {
        return Optional.empty();
    }

    @Override
    public JsonNode body() {
        return MissingNode.getInstance();
    }

    @Override
    public String requestId() {
        return "r1";
    }

    @Override
    public boolean dryRun() {
        return false;
    }

    @Override
    public Optional<String> form(String name) {
        return Optional.ofNullable(form.get(name));
    }

    @Override
    public Optional<String> cookie(String name) {
        return Optional.empty();
    }

    @Override
    public String host() {
        return "localhost";
    }
}
