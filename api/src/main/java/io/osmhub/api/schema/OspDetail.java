package io.osmhub.api.schema;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A profile with the files that it puts on a machine and what the linter says of it. */
public record OspDetail(Osp profile, List<File> files, List<Finding> findings) {
    public OspDetail {
        Objects.requireNonNull(profile, "profile");
        files = List.copyOf(files);
        findings = List.copyOf(findings);
    }

    /**
     * A file of the profile, in the order of rendering.
     *
     * @param permissions octal
     */
    public record File(
            DocumentName document,
            @Nullable String field,
            String path,
            @Nullable String permissions,
            @Nullable Long templateBytes) {
        public File {
            Objects.requireNonNull(document, "document");
            Objects.requireNonNull(path, "path");
        }
    }
}
