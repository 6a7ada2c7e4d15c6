package io.osmhub.workersync.write;

import io.osmhub.core.plan.Change;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a list of changes.
 *
 * @param done those that are made, in no order within their stage
 * @param failed the first that failed; nothing of a later stage was tried
 */
public record Written(List<Done> done, @Nullable Failed failed) {
    public Written {
        done = List.copyOf(done);
    }

    /** A change that is made. */
    public record Done(Change change, Duration took) {}

    /** A change that is not made, or of which it is not known. */
    public record Failed(Change change, ApiFailure failure) {}
}
