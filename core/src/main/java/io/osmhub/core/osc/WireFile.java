package io.osmhub.core.osc;

import io.osmhub.core.resource.Copies;
import io.osmhub.core.resource.Wire;
import io.osmhub.core.schema.Defaulted;
import io.osmhub.core.schema.Described;
import org.jspecify.annotations.Nullable;

/** A file as stored: a template in a profile, rendered in an OperatingSystemConfig. */
@Wire
public record WireFile(
        @Described("Path on the node.") String path,

        @Described("Decimal number whose digits are the octal mode, for example 755.") @Defaulted("644") @Nullable Integer permissions,

        @Described("Content of the file.") Content content) {

    /** Where the content is; there is only one place. */
    @Wire
    public record Content(
            @Described("Content in place.") @Nullable Inline inline) {}

    /** Content in place. */
    @Wire
    public record Inline(
            @Described("How data is encoded: b64, or anything else for plain text.") @Nullable String encoding,

            @Described("The content.") String data) {}

    public static WireFile of(String path, int permissions, String data, String encoding) {
        return new WireFile(path, permissions, new Content(new Inline(Copies.nullIfEmpty(encoding), data)));
    }
}
