package io.osmhub.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.access.Caller;
import io.osmhub.api.access.ReplicaTickets;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A decoded request to an operation or a page.
 *
 * @param address of the client, for rate limits
 * @param signedIn null without sign-in
 * @param form fields of a form; empty for operations
 */
record HttpCall(
        HttpServerRequest request,
        String requestId,
        String address,
        @Nullable Caller signedIn,
        Map<String, String> path,
        Map<String, List<String>> query,
        JsonNode body,
        Map<String, List<String>> form)
        implements PageCall {
    @Override
    public Caller caller() {
        if (signedIn == null) {
            throw new IllegalStateException("requires no sign-in, so it has no caller");
        }
        return signedIn;
    }

    @Override
    public String path(String name) {
        String value = path.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the path has no parameter " + name);
        }
        return value;
    }

    @Override
    public Optional<String> query(String name) {
        return queryList(name).stream().findFirst();
    }

    @Override
    public List<String> queryList(String name) {
        return query.getOrDefault(name, List.of());
    }

    @Override
    public Optional<String> header(String name) {
        return Optional.ofNullable(request.getHeader(name));
    }

    @Override
    public String uri() {
        return request.path();
    }

    @Override
    public Map<String, String> credentials() {
        return RequestAuthenticator.credentials(request);
    }

    @Override
    public boolean isForwarded() {
        return request.headers().contains(ReplicaTickets.HEADER);
    }

    @Override
    public Optional<String> session() {
        return RequestAuthenticator.session(request);
    }

    @Override
    public Optional<String> cookie(String name) {
        return RequestAuthenticator.cookie(request, name);
    }

    @Override
    public Optional<String> form(String name) {
        return form.getOrDefault(name, List.of()).stream().findFirst();
    }

    @Override
    public String host() {
        return RequestAuthenticator.host(request);
    }

    /** Omits body and form, which may contain credentials. */
    @Override
    public String toString() {
        return request.method() + " " + request.path();
    }
}
