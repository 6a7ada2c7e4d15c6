package io.osmhub.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.access.Caller;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A request that conforms to the contract. Parameters are decoded; defaults are filled in. */
public interface Call {
    /** The caller. Must not be called for operations without sign-in. */
    Caller caller();

    /** A path parameter by its name in the contract. */
    String path(String name);

    /** A single-valued query parameter; empty if absent without default. */
    Optional<String> query(String name);

    /** A list-valued query parameter; empty if absent. */
    List<String> queryList(String name);

    /** A request header, case-insensitive. */
    Optional<String> header(String name);

    /** The body; a missing node if there is none. May contain credentials: never log it. */
    JsonNode body();

    /** As in logs, audit and the response header. */
    String requestId();

    /** Validate and respond, but store nothing. */
    default boolean dryRun() {
        return query("dryRun").isPresent();
    }

    /** Path of the request without its query, as sent. */
    String uri();

    /** Source address for rate limits; many callers may share one. */
    default String address() {
        return "";
    }

    /** Headers with the caller's credential, for a request to another replica on its behalf. Never log them. */
    default Map<String, String> credentials() {
        return Map.of();
    }

    /** Whether another replica sent the request, so that it must be answered here. */
    default boolean isForwarded() {
        return false;
    }

    /** Value of the session cookie; empty without a session. A credential. */
    default Optional<String> session() {
        return Optional.empty();
    }
}
