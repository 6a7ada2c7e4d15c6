package io.osmhub.tenancy.admission;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.certificate.WebhookCertificate;
import io.osmhub.tenancy.renewal.RenewalLoop;
import io.osmhub.tenancy.watch.ManagementInformer;
import io.osmhub.tenancy.watch.NoopListWatchListener;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps {@code caBundle} of the management cluster's webhook configurations equal to the hub's serving CA. Everything else in them
 * belongs to the operator: the manifests create them, and the hub neither creates nor deletes them.
 */
public final class CaBundleInjector {
    private static final Logger LOG = LoggerFactory.getLogger(CaBundleInjector.class);
    private static final String NAME = "osm-hub";
    private static final String OWN = ".osmhub.io";
    private static final ExponentialBackoff RETRY =
            new ExponentialBackoff(Duration.ofMillis(500), Duration.ofMinutes(5));
    /** Another writer that changes the bundle back within this time is in conflict, which is reported for as long. */
    private static final Duration QUARREL = Duration.ofMinutes(10);
    /**
     * Minimum writes of the same bundle that count as a conflict; one may be accidental, for example when the manifests are applied
     * again.
     */
    private static final int QUARRELLING = 3;

    private final KubeApi management;
    private final WebhookCertificate certificate;
    private final BooleanSupplier mayWrite;
    private final RuntimeContext around;
    private final List<BundleReconciler> all;

    /** @param mayWrite false while this replica must not write; another one does then */
    public CaBundleInjector(
            KubeApi management, WebhookCertificate certificate, BooleanSupplier mayWrite, RuntimeContext around) {
        this.management = management;
        this.certificate = certificate;
        this.mayWrite = mayWrite;
        this.around = around;
        this.all = List.of(
                new BundleReconciler(Resource.VALIDATING_WEBHOOK_CONFIGURATIONS, "ValidatingWebhookConfiguration"),
                new BundleReconciler(Resource.MUTATING_WEBHOOK_CONFIGURATIONS, "MutatingWebhookConfiguration"));
        certificate.onChange(() -> all.forEach(each -> each.loop.wake()));
    }

    public void start() {
        all.forEach(kept -> kept.watch.start(management));
    }

    public void stop() {
        all.forEach(BundleReconciler::stop);
    }

    /** The problem to report; empty if all existing configurations are correct. */
    public Optional<String> problem() {
        return all.stream()
                .flatMap(kept -> Optional.ofNullable(kept.problem).stream())
                .findFirst();
    }

    /**
     * An observed configuration.
     *
     * @param writer field manager of the foreign bundle; empty if unknown
     */
    private record WebhookSnapshot(JsonNode webhooks, String writer) {
        static WebhookSnapshot of(JsonNode object) {
            String writer = "";
            String latest = "";
            for (JsonNode entry : object.path("metadata").path("managedFields")) {
                String time = entry.path("time").asText();
                if (writesBundles(entry.path("fieldsV1")) && time.compareTo(latest) >= 0) {
                    writer = entry.path("manager").asText();
                    latest = time;
                }
            }
            return new WebhookSnapshot(object.path("webhooks"), writer);
        }

        private static boolean writesBundles(JsonNode fields) {
            return fields.path("f:webhooks").properties().stream()
                    .anyMatch(each -> each.getKey().contains(OWN)
                            && each.getValue().at("/f:clientConfig").has("f:caBundle"));
        }
    }

    /** Reconciles one configuration. */
    private final class BundleReconciler {
        private final Resource resource;
        private final String kind;
        private final RenewalLoop loop;
        private final ManagementInformer<WebhookSnapshot> watch;
        private volatile @Nullable String problem;
        /** Consecutive writes of the last written bundle. */
        private int writes;

        private String written = "";
        private Instant lastWrite = Instant.MIN;
        private Instant notBefore = Instant.MIN;
        private String opponent = "";

        BundleReconciler(Resource resource, String kind) {
            this.resource = resource;
            this.kind = kind;
            this.loop = new RenewalLoop(
                    "Update of the caBundle of " + kind + " " + NAME,
                    () -> RETRY,
                    this::renew,
                    (cause, inARow) -> reportProblem("and could not be patched (" + cause + ")", "allow patch on it"),
                    around);
            this.watch = new ManagementInformer<>(
                    Selection.where(resource, "", "metadata.name=" + NAME),
                    WebhookSnapshot::of,
                    (key, before, after, origin) -> loop.wake(),
                    new NoopListWatchListener() {
                        @Override
                        public void onSynced() {
                            loop.wake();
                        }

                        @Override
                        public void onAccessDenied(ApiFailure failure) {
                            LOG.atWarn()
                                    .addKeyValue("cause", failure.text())
                                    .log("Cannot watch {} {}, so its caBundle is not maintained", kind, NAME);
                        }
                    },
                    around);
        }

        /** Delay of the next run; null to wait for a change. */
        private @Nullable Duration renew() throws ApiFailure {
            String trusted = certificate.authorities();
            WebhookSnapshot found = watch.find("", NAME);
            if (trusted == null || trusted.isEmpty() || found == null) {
                problem = null;
                return null;
            }
            String bundle = Base64.getEncoder().encodeToString(trusted.getBytes(UTF_8));
            ArrayNode patch = patch(found.webhooks(), bundle);
            Instant now = around.scheduler().now();
            if (!bundle.equals(written) || !lastWrite.plus(QUARREL).isAfter(now)) {
                writes = 0;
                notBefore = Instant.MIN;
            }
            if (patch.isEmpty()) {
                return calm(now);
            }
            if (!mayWrite.getAsBoolean()) {
                return RETRY.initialDelay();
            }
            opponent = found.writer();
            if (notBefore.isAfter(now)) {
                reportConflict();
                return Duration.between(now, notBefore);
            }
            try {
                watch.putWritten(management.send(
                        ApiRequest.patch(resource, "", NAME, ApiRequest.JSON_PATCH, WireJson.text(patch))));
            } catch (IOException e) {
                throw WireJson.unexpected("a webhook configuration");
            }
            LOG.info("Updated caBundle of {} {}", kind, NAME);
            recordWrite(bundle, now);
            return calm(now);
        }

        private void recordWrite(String bundle, Instant now) {
            written = bundle;
            lastWrite = now;
            writes++;
            if (writes >= QUARRELLING - 1) {
                notBefore = now.plus(RETRY.delayAfter(writes, around.random()));
            }
            if (writes >= QUARRELLING) {
                reportConflict();
            }
        }

        /** The bundle is correct; a conflict ends after it has been for long enough. */
        private @Nullable Duration calm(Instant now) {
            if (writes < QUARRELLING) {
                problem = null;
                return null;
            }
            return Duration.between(now, lastWrite.plus(QUARREL));
        }

        private void reportConflict() {
            String who = opponent.isEmpty()
                    ? "something else"
                    : opponent.equals(ApiRequest.FIELD_MANAGER)
                            ? "another hub (field manager " + opponent + ")"
                            : opponent;
            reportProblem(who + " keeps replacing it", "keep it from this configuration");
        }

        private void reportProblem(String cause, String cure) {
            String what = Reason.WebhookBundleNotPatched.with("kind", kind, "name", NAME, "cause", cause, "cure", cure)
                    .message();
            if (!what.equals(problem)) {
                LOG.atWarn().log(what);
            }
            problem = what;
        }

        /** Each change applies only to the webhook that was observed. */
        private static ArrayNode patch(JsonNode webhooks, String bundle) {
            ArrayNode patch = WireJson.object().arrayNode();
            for (int i = 0; i < webhooks.size(); i++) {
                JsonNode webhook = webhooks.path(i);
                String name = webhook.path("name").asText();
                boolean right =
                        webhook.path("clientConfig").path("caBundle").asText().equals(bundle);
                if (name.endsWith(OWN) && !right) {
                    patch.addObject()
                            .put("op", "test")
                            .put("path", "/webhooks/" + i + "/name")
                            .put("value", name);
                    patch.addObject()
                            .put("op", "add")
                            .put("path", "/webhooks/" + i + "/clientConfig/caBundle")
                            .put("value", bundle);
                }
            }
            return patch;
        }

        void stop() {
            loop.stop();
            watch.stop();
        }
    }
}
