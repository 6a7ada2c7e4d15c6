package io.osmhub.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.access.Caller;
import io.osmhub.api.contract.CheckedRequest;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request to an operation of the contract. */
final class ApiCall implements Call {
    private final HttpServerRequest request;
    private final String requestId;
    private final @Nullable Caller caller;
    private final CheckedRequest checked;

    ApiCall(HttpServerRequest request, String requestId, @Nullable Caller caller, CheckedRequest checked) {
        this.request = request;
        this.requestId = requestId;
        this.caller = caller;
        this.checked = checked;
    }

    @Override
    public Caller caller() {
        if (caller == null) {
            throw new IllegalStateException("nobody is signed in where no sign-in is asked for");
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
        return SignIns.address(request);
    }

    @Override
    public Optional<String> session() {
        return SignIns.session(request);
    }
}
