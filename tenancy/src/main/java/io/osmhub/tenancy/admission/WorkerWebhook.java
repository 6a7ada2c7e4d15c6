package io.osmhub.tenancy.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.core.settings.TenantSettings.Admission.Mode;
import io.osmhub.tenancy.watch.ManagementWatch;
import io.osmhub.tenancy.watch.QuietListener;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Backoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.watch.Selection;
import io.osmhub.workersync.watch.Surroundings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the hub's webhook in one worker cluster as the tenant's settings want it: there with the right URL and authorities, or gone.
 * Works beside the sync, never on the way of a secret. Safe for use by many threads.
 */
public final class WorkerWebhook {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerWebhook.class);
    private static final Backoff RETRY = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5));
    /** Somebody who writes it again and again is answered ever more slowly; after so long it counts as another story. */
    private static final Duration QUARREL = Duration.ofMinutes(10);

    /** Configurations of the peer, by its installers. */
    private static final List<String> PEERS =
            List.of("operatingsystemmanager.k8c.io", "operating-system-manager.kubermatic.io");

    private final Tenant tenant;
    private final AdmissionEndpoint endpoint;
    private final Surroundings around;
    private final Listener listener;
    private final ManagementWatch<JsonNode> watch;
    private final InstalledWebhook installed;

    private @Nullable Wanted wanted;
    /** For which nothing of the hub was left in the worker cluster. */
    private @Nullable Wanted cleaned;

    private volatile @Nullable Diagnosis problem;
    private boolean looking;
    private boolean again;
    private boolean closed;
    private boolean peersLookedAt;
    private int failures;
    private int writes;
    private Instant lastWrite = Instant.MIN;
    /** As the hub wrote it last, or found it right; another one than this is no repair. */
    private @Nullable JsonNode written;

    private Timers.@Nullable Timer timer;

    /**
     * Whose webhook it is.
     *
     * @param uid of the WorkerCluster
     * @param hubId of this hub; empty while it is not known
     */
    public record Tenant(String namespace, String name, String uid, Supplier<String> hubId) {
        private String path() {
            return namespace + "/" + name;
        }
    }

    /** What is wanted of a worker cluster that can be reached. */
    public record Wanted(KubeApi api, TenantSettings.Admission settings, String kubernetesVersion) {}

    /** Hears how it goes; hands over and returns. */
    public interface Listener {
        /** {@link #problem} says something else than before. */
        void problemChanged();

        /** What somebody else had changed or removed was restored. */
        void repaired();
    }

    /** A webhook of which nothing is known yet. */
    public WorkerWebhook(Tenant tenant, AdmissionEndpoint endpoint, Listener listener, Surroundings around) {
        this.tenant = tenant;
        this.endpoint = endpoint;
        this.listener = listener;
        this.around = around;
        this.installed = new InstalledWebhook(tenant.namespace(), tenant.name(), around.timers());
        this.watch = new ManagementWatch<>(
                Selection.where(Resource.MUTATING_WEBHOOK_CONFIGURATIONS, "", "metadata.name=" + WebhookManifest.NAME),
                WorkerWebhook::reduced,
                (key, before, after, origin) -> look(),
                new QuietListener() {
                    @Override
                    public void synced() {
                        look();
                    }

                    @Override
                    public void refused(ApiFailure failure) {
                        fail(failure.text());
                    }

                    @Override
                    public void recovered() {
                        look();
                    }
                },
                around);
    }

    private static JsonNode reduced(JsonNode object) {
        var kept = WireJson.object();
        var metadata = kept.putObject("metadata");
        for (String field : List.of("name", "uid", "labels", "annotations")) {
            JsonNode value = object.path("metadata").get(field);
            if (value != null) {
                metadata.set(field, value);
            }
        }
        kept.set("webhooks", object.path("webhooks"));
        return kept;
    }

    /**
     * What holds now.
     *
     * @param now null while there is no connection, or nothing may be written
     */
    public void want(@Nullable Wanted now) {
        boolean other;
        synchronized (this) {
            other = !Objects.equals(now, wanted);
            wanted = now;
        }
        if (other) {
            restart();
        }
    }

    private void restart() {
        Wanted now;
        synchronized (this) {
            now = closed ? null : wanted;
        }
        if (now != null && isManaged(now.settings())) {
            watch.start(now.api());
        } else {
            watch.stop();
        }
        look();
    }

    private boolean isManaged(TenantSettings.Admission settings) {
        return endpoint.url() != null && settings.mode() != Mode.NONE;
    }

    /** Something may be another than before: asks for a look. */
    public void look() {
        synchronized (this) {
            if (looking) {
                again = true;
                return;
            }
            looking = true;
        }
        around.waiting().execute(this::looks);
    }

    private void looks() {
        while (true) {
            Wanted now;
            synchronized (this) {
                again = false;
                now = closed ? null : wanted;
            }
            if (now != null) {
                look(now);
            }
            synchronized (this) {
                if (!again || closed) {
                    looking = false;
                    return;
                }
            }
        }
    }

    private void look(Wanted now) {
        try {
            if (isManaged(now.settings())) {
                keep(now);
            } else {
                if (now.settings().mode() == Mode.NONE && endpoint.url() != null && !now.equals(cleaned)) {
                    remove(now.api());
                    cleaned = now;
                }
                succeed();
            }
        } catch (ApiFailure e) {
            again(e.text(), e.retryAfter());
        } catch (RuntimeException e) {
            LOG.error("the webhook of WorkerCluster {} could not be looked after", tenant.path(), e);
            again("an internal error of the hub, which is in its log", null);
        }
    }

    private void again(String cause, @Nullable Duration asked) {
        fail(cause);
        failures++;
        later(RETRY.after(failures, asked, around.random()), this::look);
    }

    private void keep(Wanted now) throws ApiFailure {
        String authorities = endpoint.authorities();
        if (authorities == null || !watch.isSynced()) {
            return;
        }
        String hubId = tenant.hubId().get();
        JsonNode manifest = new WebhookManifest(
                        endpoint.url() + AdmissionPath.of(tenant.namespace(), tenant.name(), tenant.uid()),
                        authorities,
                        now.settings(),
                        tenant.path(),
                        hubId,
                        WebhookManifest.knowsConditions(now.kubernetesVersion()))
                .json();
        JsonNode found = watch.find("", WebhookManifest.NAME);
        if (found != null && InstalledWebhook.isOfAnother(found, hubId)) {
            fail("MutatingWebhookConfiguration " + WebhookManifest.NAME + " belongs to another hub");
            return;
        }
        // What was listed may be older than what was written since, so that a difference is looked at before it is
        // mended.
        if (!isRight(found, manifest) && !isRight(installed.read(now.api()), manifest)) {
            boolean repair = manifest.equals(written);
            Duration wait = repair ? patience() : Duration.ZERO;
            if (!wait.isZero()) {
                later(wait, this::look);
                return;
            }
            byte[] answer = installed.apply(now.api(), manifest, this::isClosed);
            if (answer == null) {
                return;
            }
            took(answer);
            if (repair) {
                listener.repaired();
            }
        }
        written = manifest;
        succeed();
        lookAtPeers(now.api());
    }

    private static boolean isRight(@Nullable JsonNode found, JsonNode manifest) {
        return found != null && WebhookManifest.covers(found, manifest);
    }

    /** Zero when it may be written now. */
    private Duration patience() {
        Instant at = around.timers().now();
        if (lastWrite.equals(Instant.MIN) || lastWrite.plus(QUARREL).isBefore(at)) {
            writes = 0;
            return Duration.ZERO;
        }
        Duration wait = Duration.between(at, lastWrite.plus(RETRY.after(Math.max(1, writes), around.random())));
        return wait.isNegative() || writes < 2 ? Duration.ZERO : wait;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private void took(byte[] answer) throws ApiFailure {
        lastWrite = around.timers().now();
        writes++;
        try {
            watch.written(answer);
        } catch (IOException e) {
            throw ApiFailure.noAnswer(ApiFailure.Cause.UNREADABLE, "unexpected response: not a webhook configuration");
        }
    }

    /** Both set the same annotation where there is none, so nothing breaks; but people should know that two act. */
    private void lookAtPeers(KubeApi api) {
        if (peersLookedAt) {
            return;
        }
        peersLookedAt = true;
        for (String peer : PEERS) {
            try {
                api.send(ApiRequest.get(Resource.MUTATING_WEBHOOK_CONFIGURATIONS, "", peer));
                LOG.atWarn()
                        .addKeyValue("tenant", tenant.namespace())
                        .addKeyValue("workerCluster", tenant.name())
                        .addKeyValue("object", peer)
                        .log("The webhook of operating-system-manager acts beside the hub's; it is left alone."
                                + " Remove it, or set spec.admission.mode to None");
            } catch (ApiFailure e) {
                // Absent in most clusters; where it may not be read, there is nothing to say.
                LOG.atDebug()
                        .addKeyValue("object", peer)
                        .addKeyValue("cause", e.text())
                        .log("Not there");
            }
        }
    }

    /**
     * Takes the webhook out of the worker cluster if it is this hub's. Waits for the answer, and before that for a write under way.
     *
     * @throws ApiFailure when it may still be there, or may come back: a write had no answer a moment ago
     */
    public void remove(KubeApi api) throws ApiFailure {
        if (installed.remove(api, tenant.hubId().get())) {
            written = null;
        }
    }

    private void later(Duration delay, Runnable task) {
        synchronized (this) {
            if (timer != null) {
                timer.cancel();
            }
            timer = closed ? null : around.timers().after(delay, task);
        }
    }

    private void succeed() {
        failures = 0;
        boolean over = problem != null;
        problem = null;
        if (over) {
            listener.problemChanged();
        }
    }

    private void fail(String cause) {
        Diagnosis now = new Diagnosis(
                Reason.AdmissionNotInstalled,
                Message.of(
                        Reason.AdmissionNotInstalled,
                        Map.of("tenant", tenant.namespace(), "wc", tenant.name(), "cause", cause)));
        boolean news = !now.equals(problem);
        problem = now;
        if (news) {
            listener.problemChanged();
        }
    }

    /** Why the webhook is not as it should be; null while it is, or none is wanted. */
    public @Nullable Diagnosis problem() {
        return problem;
    }

    /** Ends; what is in the worker cluster stays. */
    public void close() {
        synchronized (this) {
            closed = true;
            if (timer != null) {
                timer.cancel();
            }
        }
        watch.stop();
    }
}
