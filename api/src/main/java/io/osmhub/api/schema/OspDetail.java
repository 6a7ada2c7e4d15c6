package io.osmhub.api.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A profile with its files and lint findings. */
public record OspDetail(Osp profile, List<File> files, List<Finding> findings) {
    /**
     * A file of the profile, in rendering order.
     *
     * @param permissions octal
     */
    public record File(
            DocumentName document,
            @Nullable String field,
            String path,
            @Nullable String permissions,
            @Nullable Long templateBytes) {}
}
