package io.osmhub.api.http;

import java.util.Optional;

/** A request for a page. */
public interface PageCall extends Call {
    /** A form field; may contain a credential. */
    Optional<String> form(String name);

    /** Host and port as the browser sees them. */
    String host();
}
