package io.osmhub.core.template.handlebars;

import io.osmhub.core.template.FunctionReference;
import java.util.List;

/** All helpers. */
public final class Helpers {
    private static final HelperTable TABLE = build();

    private Helpers() {}

    /** What people should know of each helper, sorted by name. */
    public static List<FunctionReference> reference() {
        return TABLE.reference();
    }

    static HelperTable table() {
        return TABLE;
    }

    private static HelperTable build() {
        HelperTable.Builder table = new HelperTable.Builder();
        for (BlockHelper block : BlockHelper.values()) {
            table.add(block);
        }
        LogicHelpers.addTo(table);
        TextHelpers.addTo(table);
        LineHelpers.addTo(table);
        EncodingHelpers.addTo(table);
        ListHelpers.addTo(table);
        NumberHelpers.addTo(table);
        return table.build();
    }
}
