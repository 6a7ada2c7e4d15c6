package io.osmhub.api.paging;

import java.util.Map;

/** One immutable row of a table. */
public interface TableRow {
    /** Namespace of the tenant, which determines who may see the row. */
    String namespace();

    /** Labels for selectors. */
    Map<String, String> labels();

    /** Whether its searchable texts contain the text, which is in lower case. */
    boolean matchesText(String text);
}
