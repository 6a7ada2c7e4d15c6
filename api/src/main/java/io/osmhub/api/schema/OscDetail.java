package io.osmhub.api.schema;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An OperatingSystemConfig with its sizes, its secrets and what happened to it of late.
 *
 * @param wanted what should be published and is not; absent when there is no difference
 * @param history newest first
 */
public record OscDetail(
        Osc configuration,
        @Nullable Source wanted,
        List<DocumentSize> sizes,
        List<PublishedSecret> secrets,
        @Nullable Instant tokenExpiresAt,
        List<HistoryEntry> history,
        @Nullable Boolean stale) {
    public OscDetail {
        Objects.requireNonNull(configuration, "configuration");
        sizes = List.copyOf(sizes);
        secrets = List.copyOf(secrets);
        history = List.copyOf(history);
    }
}
