package io.osmhub.tenancy.management;

import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.ListWatchListener;
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

/** Health of the management cluster's watches: whether all are synced, and current failures. */
public final class ManagementWatchHealth {
    private static final Logger LOG = LoggerFactory.getLogger(ManagementWatchHealth.class);
    private static final Duration BEFORE_REPORT = Duration.ofSeconds(10);

    private final Scheduler scheduler;
    private final String endpoint;
    private final Map<String, ApiFailure> failures = new HashMap<>();
    private final Set<String> missingLists = new TreeSet<>();
    private @Nullable Instant since;
    private boolean complete;
    private volatile BooleanSupplier allSynced = () -> false;
    private volatile Runnable completed = () -> {};

    public ManagementWatchHealth(Scheduler scheduler, String endpoint) {
        this.scheduler = scheduler;
        this.endpoint = endpoint;
    }

    /**
     * Call it before the watches start.
     *
     * @param allSynced whether every watch has its first list
     * @param completed called once they do
     */
    public void start(BooleanSupplier allSynced, Runnable completed) {
        this.allSynced = allSynced;
        this.completed = completed;
    }

    /** Listener for one watch; {@code what} is its unique, displayed name. */
    public ListWatchListener listener(String what) {
        synchronized (this) {
            missingLists.add(what);
        }
        return new NoopListWatchListener() {
            @Override
            public void onSynced() {
                ManagementWatchHealth.this.markSynced(what);
            }

            @Override
            public void onFailed(ApiFailure failure, int inARow) {
                setFailure(what, failure);
            }

            @Override
            public void onAccessDenied(ApiFailure failure) {
                setFailure(what, failure);
            }

            @Override
            public void onRecovered() {
                setFailure(what, null);
            }
        };
    }

    private void markSynced(String what) {
        synchronized (this) {
            missingLists.remove(what);
        }
        // Called without the lock: it acquires the watches' locks, whose holders may be calling this listener.
        if (!allSynced.getAsBoolean()) {
            return;
        }
        synchronized (this) {
            if (complete) {
                return;
            }
            complete = true;
        }
        completed.run();
    }

    private synchronized void setFailure(String what, @Nullable ApiFailure failure) {
        if (failure == null) {
            failures.remove(what);
        } else {
            if (failures.put(what, failure) == null) {
                LOG.atError()
                        .addKeyValue("what", what)
                        .addKeyValue("cause", failure.text())
                        .log("Could not read from the management cluster, retrying");
            }
        }
        if (failures.isEmpty()) {
            since = null;
        } else if (since == null) {
            since = scheduler.now();
        }
    }

    public synchronized boolean isComplete() {
        return complete;
    }

    /** Incomplete initial lists. */
    public synchronized List<String> missingLists() {
        return List.copyOf(missingLists);
    }

    /** Problem to report; null while there is none, or only a short one. */
    public synchronized @Nullable Problem problem(int tenants) {
        Instant began = since;
        if (began == null || Duration.between(began, scheduler.now()).compareTo(BEFORE_REPORT) < 0) {
            return null;
        }
        return Reason.ManagementClusterUnreachable.with(
                "endpoint",
                endpoint,
                "cause",
                causes(),
                "time",
                began.truncatedTo(ChronoUnit.SECONDS).toString(),
                "n",
                Integer.toString(tenants));
    }

    /** Each cause once, with everything that it affects. */
    private String causes() {
        Map<String, List<String>> byCause = new LinkedHashMap<>();
        new TreeMap<>(failures)
                .forEach((what, failure) -> byCause.computeIfAbsent(failure.text(), added -> new ArrayList<>())
                        .add(what));
        return byCause.entrySet().stream()
                .map(each -> String.join(", ", each.getValue()) + ": " + each.getKey())
                .collect(Collectors.joining("; "));
    }
}
