package io.osmhub.api.paging;

import java.util.Map;

/** One immutable row of a table, containing all values it is sorted by. */
public interface TableRow {
    /** Namespace of the tenant, which determines who may see the row. */
    String namespace();

    /** Identifies a row of a table, equal in all processes. */
    long fingerprint();

    /** Labels for selectors. */
    Map<String, String> labels();

    /** Whether its searchable texts contain the text. */
    boolean matchesText(SearchText text);

    /** Fingerprint of two names. */
    static long fingerprintOf(String first, String second) {
        return (long) first.hashCode() * 0x9E3779B97F4A7C15L + second.hashCode();
    }
}
