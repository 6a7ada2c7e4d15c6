package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ManifestObjects;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what a new machine would read, again and again until it is closed: the bootstrap Secret of a MachineDeployment, as
 * machine-controller does, and the Secret that this names, as the machine does.
 */
final class ContinuousReader implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final Pattern FETCHED =
            Pattern.compile("/api/v1/namespaces/" + RealTenant.SETTINGS + "/secrets/([a-z0-9.-]+)");

    private final RealTenant tenant;
    private final MachineDeploymentObjectNames names;
    private final List<String> unreadable = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile String neededText = "";
    private volatile boolean closed;
    private int reads;
    private long staleSince;
    private int staleMoments;

    /** The longest time for which machine-controller would have waited for a bootstrap Secret of the current revision. */
    private Duration longestStale = Duration.ZERO;

    private ContinuousReader(RealTenant tenant, MachineDeploymentObjectNames names) {
        this.tenant = tenant;
        this.names = names;
        this.thread = Thread.ofVirtual().unstarted(this::run);
    }

    static ContinuousReader start(RealTenant tenant, MachineDeploymentObjectNames names) {
        ContinuousReader reader = new ContinuousReader(tenant, names);
        reader.thread.start();
        return reader;
    }

    /** From now on, the document that a machine fetches must contain this text. */
    ContinuousReader requireText(String text) {
        neededText = text;
        return this;
    }

    /** Stops reading. The results are available afterwards. */
    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops reading, prints the counts, and fails if a machine could not have started at any moment. */
    void assertAlwaysReadable() {
        close();
        System.out.printf("%s: %s%n", names.name(), this);
        assertThat(reads).isPositive();
        assertThat(unreadable).isEmpty();
        // A limit of a second would depend on the speed of this machine; the count is printed.
        assertThat(longestStale).isLessThan(Await.LIMIT);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d reads, %d unreadable, %d times stale for more than 1 s, at most %d ms",
                reads,
                unreadable.size(),
                staleMoments,
                longestStale.toMillis());
    }

    private void run() {
        do {
            try {
                read();
            } catch (RuntimeException e) {
                unreadable.add("not read: " + e);
            }
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException e) {
                return;
            }
        } while (!closed);
    }

    private void read() {
        Optional<JsonNode> machineDeployment = tenant.worker().admin().find(names.path());
        Optional<JsonNode> bootstrap = tenant.secret(names.bootstrap());
        if (machineDeployment.isEmpty()) {
            return;
        }
        reads++;
        String document = document(names.bootstrap(), bootstrap);
        if (document.isEmpty()) {
            return;
        }
        Matcher fetched = FETCHED.matcher(ChangesE2E.readable(document));
        if (fetched.find()) {
            String needed = neededText;
            String provisioning = document(fetched.group(1), tenant.secret(fetched.group(1)));
            if (!provisioning.isEmpty() && !provisioning.contains(needed)) {
                unreadable.add(fetched.group(1) + " lacks " + needed);
            }
        } else {
            unreadable.add(names.bootstrap() + " names no Secret to fetch");
        }
        compareRevisions(machineDeployment.get(), bootstrap.orElseThrow());
    }

    private String document(String name, Optional<JsonNode> secret) {
        String document = secret.map(found -> ManifestObjects.value(found, "cloud-config"))
                .orElse("");
        if (!document.startsWith("#cloud-config\n") || !document.endsWith("\n")) {
            unreadable.add(name + (secret.isEmpty() ? " is missing" : " is not a complete cloud-config document"));
            return "";
        }
        return document;
    }

    private void compareRevisions(JsonNode machineDeployment, JsonNode bootstrap) {
        String wanted = annotation(machineDeployment, "machinedeployment.clusters.k8s.io/revision");
        String stored = annotation(bootstrap, "k8c.io/machine-deployment-revision");
        long now = System.nanoTime();
        Duration stale = staleSince == 0 ? Duration.ZERO : Duration.ofNanos(now - staleSince);
        if (stale.compareTo(longestStale) > 0) {
            longestStale = stale;
        }
        if (wanted.equals(stored)) {
            staleMoments += stale.toSeconds() > 0 ? 1 : 0;
            staleSince = 0;
        } else if (staleSince == 0) {
            staleSince = now;
        }
    }

    private static String annotation(JsonNode object, String name) {
        return object.path("metadata").path("annotations").path(name).asText();
    }
}
