package io.osmhub.api.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.osmhub.api.access.Caller;
import io.osmhub.api.contract.QueryDecoder;
import io.osmhub.api.http.PageCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A request for a page, by hand. */
public record PageVisit(String address, Map<String, String> path, Map<String, String> form) implements PageCall {
    public static PageVisit to(String address, Map<String, String> path) {
        return new PageVisit(address, path, Map.of());
    }

    PageVisit sending(Map<String, String> fields) {
        return new PageVisit(address, path, fields);
    }

    @Override
    public String uri() {
        int question = address.indexOf('?');
        return question < 0 ? address : address.substring(0, question);
    }

    @Override
    public Caller caller() {
        return new Caller("ann", "", List.of(), Map.of(), null);
    }

    @Override
    public String path(String name) {
        return path.getOrDefault(name, "");
    }

    @Override
    public Optional<String> query(String name) {
        int question = address.indexOf('?');
        return QueryDecoder.parse(question < 0 ? "" : address.substring(question + 1), new ArrayList<>())
                .getOrDefault(name, List.of())
                .stream()
                .findFirst();
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
