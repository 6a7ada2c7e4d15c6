package io.osmhub.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.access.Caller;
import java.util.List;
import java.util.Optional;

/** One request that fits the contract. Parameters are as they were sent, decoded; what the contract gives as default is filled in. */
public interface Call {
    /** Who asks; there is none only where the contract asks for no sign-in, and asking for it there is a fault. */
    Caller caller();

    /** A part of the path by its name in the contract. */
    String path(String name);

    /** A parameter of the query that is given once; absent when it was not sent and has no default. */
    Optional<String> query(String name);

    /** A parameter of the query that is a list; empty when it was not sent. */
    List<String> queryList(String name);

    /** A header of the request, without regard to case. */
    Optional<String> header(String name);

    /** The body; a missing node when there is none. May hold credentials: never log it. */
    JsonNode body();

    /** As in logs, audit and the answer's header. */
    String requestId();

    /** Check and answer, store nothing. */
    boolean dryRun();

    /** Path of the request without its query, as it was sent. */
    String uri();

    /** Where it comes from, for counting; many may come from one address. */
    default String address() {
        return "";
    }

    /** Value of the session cookie; absent when nobody is signed in by one. A credential. */
    default Optional<String> session() {
        return Optional.empty();
    }
}
