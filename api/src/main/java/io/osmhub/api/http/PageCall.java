package io.osmhub.api.http;

import java.util.Optional;

/** A request for a page. */
public interface PageCall extends Call {
    /** A form field; may contain a credential. */
    Optional<String> form(String name);

    /** Value of a cookie; empty without, or if it was sent twice. */
    Optional<String> cookie(String name);

    /** Host and port as the browser sees them. */
    String host();
}
