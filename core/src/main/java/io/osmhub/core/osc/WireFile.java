package io.osmhub.core.osc;

import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.WireRecord;
import io.osmhub.core.schema.DefaultValue;
import io.osmhub.core.schema.FieldDescription;
import org.jspecify.annotations.Nullable;

/** A file as stored: a template in a profile, rendered in an OperatingSystemConfig. */
@WireRecord
public record WireFile(
        @FieldDescription("Path on the node.") String path,

        @FieldDescription("Decimal number whose digits are the octal mode, for example 755.")
        @DefaultValue("644")
        @Nullable Integer permissions,

        @FieldDescription("Content of the file.") Content content) {

    /** Location of the content; only one is defined. */
    @WireRecord
    public record Content(
            @FieldDescription("Content in place.") @Nullable Inline inline) {}

    @WireRecord
    public record Inline(
            @FieldDescription("How data is encoded: b64, or anything else for plain text.") @Nullable String encoding,

            @FieldDescription("The content.") String data) {}

    public static WireFile of(String path, int permissions, String data, String encoding) {
        return new WireFile(
                path, permissions, new Content(new Inline(NullableCollections.nullIfEmpty(encoding), data)));
    }
}
