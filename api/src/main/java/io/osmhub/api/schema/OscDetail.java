package io.osmhub.api.schema;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An OperatingSystemConfig with its sizes, secrets and recent changes.
 *
 * @param wanted what should be published but is not; absent if nothing differs
 * @param history newest first
 */
public record OscDetail(
        Osc configuration,
        @Nullable ConfigurationSource wanted,
        List<DocumentSize> sizes,
        List<PublishedSecret> secrets,
        @Nullable Instant tokenExpiresAt,
        List<HistoryEntry> history,
        @Nullable String unansweredBy) {}
