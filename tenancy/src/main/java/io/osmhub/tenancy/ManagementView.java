package io.osmhub.tenancy;

import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.watch.QuietListener;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.watch.WatchListener;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How the watches of the management cluster fare: whether everything was read once, and what does not work now. */
final class ManagementView {
    private static final Logger LOG = LoggerFactory.getLogger(ManagementView.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Timers timers;
    private final String endpoint;
    private final BooleanSupplier allSynced;
    private final Runnable complete;
    private final Map<String, ApiFailure> troubles = new HashMap<>();
    private final Set<String> missing = new TreeSet<>();
    private @Nullable Instant since;
    private boolean told;

    /**
     * A view before the first list.
     *
     * @param allSynced whether every watch has its first list
     * @param complete called once, when that is so
     */
    ManagementView(Timers timers, String endpoint, BooleanSupplier allSynced, Runnable complete) {
        this.timers = timers;
        this.endpoint = endpoint;
        this.allSynced = allSynced;
        this.complete = complete;
    }

    /** For one watch; {@code what} tells it from all others, and people read it. */
    WatchListener listener(String what) {
        synchronized (this) {
            missing.add(what);
        }
        return new QuietListener() {
            @Override
            public void synced() {
                ManagementView.this.synced(what);
            }

            @Override
            public void failed(ApiFailure failure, int inARow) {
                trouble(what, failure);
            }

            @Override
            public void refused(ApiFailure failure) {
                trouble(what, failure);
            }

            @Override
            public void recovered() {
                trouble(what, null);
            }
        };
    }

    private void synced(String what) {
        synchronized (this) {
            missing.remove(what);
        }
        // Asked without the lock: it takes those of the watches, and one that holds its own may be telling us
        // something.
        if (!allSynced.getAsBoolean()) {
            return;
        }
        synchronized (this) {
            if (told) {
                return;
            }
            told = true;
        }
        complete.run();
    }

    private synchronized void trouble(String what, @Nullable ApiFailure failure) {
        if (failure == null) {
            troubles.remove(what);
        } else {
            if (troubles.put(what, failure) == null) {
                LOG.atError()
                        .addKeyValue("what", what)
                        .addKeyValue("cause", failure.text())
                        .log("Could not read from the management cluster, retrying");
            }
        }
        if (troubles.isEmpty()) {
            since = null;
        } else if (since == null) {
            since = timers.now();
        }
    }

    /** Everything was read once. */
    synchronized boolean isComplete() {
        return told;
    }

    /** What was not read yet. */
    synchronized List<String> missing() {
        return List.copyOf(missing);
    }

    /** What people are to know of the management cluster; null while nothing is wrong for long. */
    synchronized @Nullable String problem(int tenants) {
        Instant began = since;
        if (began == null || Duration.between(began, timers.now()).compareTo(PATIENCE) < 0) {
            return null;
        }
        return Message.of(
                Reason.ManagementClusterUnreachable,
                Map.of(
                        "endpoint",
                        endpoint,
                        "cause",
                        causes(),
                        "time",
                        began.truncatedTo(ChronoUnit.SECONDS).toString(),
                        "n",
                        Integer.toString(tenants)));
    }

    /** Each cause once, with all that it holds for. */
    private String causes() {
        Map<String, List<String>> byCause = new LinkedHashMap<>();
        new TreeMap<>(troubles)
                .forEach((what, failure) -> byCause.computeIfAbsent(failure.text(), added -> new ArrayList<>())
                        .add(what));
        return byCause.entrySet().stream()
                .map(each -> String.join(", ", each.getValue()) + ": " + each.getKey())
                .collect(Collectors.joining("; "));
    }
}
