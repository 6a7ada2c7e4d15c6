package io.osmhub.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.access.Caller;
import io.osmhub.api.contract.ValidatedRequest;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request to an operation of the contract. */
final class ApiCall implements Call {
    private final HttpServerRequest request;
    private final String requestId;
    private final @Nullable Caller caller;
    private final ValidatedRequest checked;

    ApiCall(HttpServerRequest request, String requestId, @Nullable Caller caller, ValidatedRequest checked) {
        this.request = request;
        this.requestId = requestId;
        this.caller = caller;
        this.checked = checked;
    }

    @Override
    public Caller caller() {
        if (caller == null) {
            throw new IllegalStateException("operation requires no sign-in, so it has no caller");
        }
        return caller;
    }

    @Override
    public String path(String name) {
        return checked.path(name);
    }

    @Override
    public Optional<String> query(String name) {
        return Optional.ofNullable(checked.query().get(name));
    }

    @Override
    public List<String> queryList(String name) {
        return checked.list(name);
    }

    @Override
    public Optional<String> header(String name) {
        return Optional.ofNullable(request.getHeader(name));
    }

    @Override
    public JsonNode body() {
        return checked.body();
    }

    @Override
    public String requestId() {
        return requestId;
    }

    @Override
    public boolean dryRun() {
        return checked.query().containsKey("dryRun");
    }

    @Override
    public String uri() {
        return request.path();
    }

    @Override
    public String address() {
        return RequestAuthenticator.address(request);
    }

    @Override
    public Optional<String> session() {
        return RequestAuthenticator.session(request);
    }
}
