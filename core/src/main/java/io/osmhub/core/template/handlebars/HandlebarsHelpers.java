package io.osmhub.core.template.handlebars;

import io.osmhub.core.template.FunctionReference;
import java.util.List;

/** All helpers. */
public final class HandlebarsHelpers {
    private static final HelperTable TABLE = build();

    private HandlebarsHelpers() {}

    /** The reference of each helper, sorted by name. */
    public static List<FunctionReference> reference() {
        return TABLE.reference();
    }

    static HelperTable table() {
        return TABLE;
    }

    private static HelperTable build() {
        HelperTable.Builder table = new HelperTable.Builder();
        table.family("Blocks");
        for (BlockHelper block : BlockHelper.values()) {
            table.add(block);
        }
        LogicHelpers.addTo(table.family("Logic and defaults"));
        TextHelpers.addTo(table.family("Texts"));
        LineHelpers.addTo(table.family("Lines"));
        EncodingHelpers.addTo(table.family("Encodings and data formats"));
        ListHelpers.addTo(table.family("Lists and maps"));
        NumberHelpers.addTo(table.family("Numbers and versions"));
        return table.build();
    }
}
