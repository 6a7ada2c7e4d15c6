package io.osmhub.api.http;

import java.util.Optional;

/** A request for a page. */
public interface PageCall extends Call {
    /** A field of the form that was sent; may hold a credential. */
    Optional<String> form(String name);

    /** Name of the host as the browser knows it, with its port. */
    String host();
}
