package io.osmhub.api.paging;

import java.util.Map;

/**
 * One row of a table. Never changes: another state is another row. Whatever it is sorted by is in it.
 */
public interface Row {
    /** Tenant that it belongs to; decides who sees it. */
    String namespace();

    /** Tells rows of a table apart, in any process alike. */
    long fingerprint();

    /** Labels that selectors ask for. */
    Map<String, String> labels();

    /** Whether a text is part of what it is searched by. */
    boolean mentions(SearchText text);

    /** A fingerprint of names. */
    static long fingerprintOf(String first, String second) {
        return (long) first.hashCode() * 0x9E3779B97F4A7C15L + second.hashCode();
    }
}
