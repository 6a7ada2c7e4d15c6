package io.osmhub.tenancy.admission;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.ServerSideApplicable;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.certificate.WebhookCertificate;
import io.osmhub.tenancy.management.ManagementStore;
import io.osmhub.tenancy.management.NoopListWatchListener;
import io.osmhub.tenancy.management.RenewalLoop;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps {@code caBundle} of the management cluster's webhook configurations equal to the hub's serving CA, except in webhooks where
 * another writer has set it, which is reported. Everything else in them belongs to the operator: the manifests create them, and the
 * hub neither creates nor deletes them.
 */
public final class CaBundleInjector {
    private static final Logger LOG = LoggerFactory.getLogger(CaBundleInjector.class);
    private static final String NAME = "osm-hub";
    private static final String OWN = ".osmhub.io";

    private static final ExponentialBackoff RETRY =
            new ExponentialBackoff(Duration.ofMillis(500), Duration.ofMinutes(5));

    private final KubeApi managementApi;
    private final String fieldManager;
    private final WebhookCertificate webhookCertificate;
    private final BooleanSupplier mayWrite;
    private final RuntimeContext runtimeContext;
    private final List<BundleReconciler> bundleReconcilers;

    /**
     * An injector that does not watch yet.
     *
     * @param namespace of the hub, because another hub's bundle must not be replaced
     * @param mayWrite false while this replica must not write; another one does then
     */
    public CaBundleInjector(
            KubeApi managementApi,
            String namespace,
            WebhookCertificate webhookCertificate,
            BooleanSupplier mayWrite,
            RuntimeContext runtimeContext) {
        this.managementApi = managementApi;
        this.fieldManager = ApiRequest.FIELD_MANAGER + "-" + namespace;
        this.webhookCertificate = webhookCertificate;
        this.mayWrite = mayWrite;
        this.runtimeContext = runtimeContext;
        this.bundleReconcilers = List.of(
                new BundleReconciler(
                        Resource.VALIDATING_WEBHOOK_CONFIGURATIONS,
                        "ValidatingWebhookConfiguration",
                        (client, webhook, bundle) -> client.admissionRegistration()
                                .v1()
                                .validatingWebhookConfigurations()
                                .resource(new ValidatingWebhookConfigurationBuilder()
                                        .withNewMetadata()
                                        .withName(NAME)
                                        .endMetadata()
                                        .addNewWebhook()
                                        .withName(webhook)
                                        .withNewClientConfig()
                                        .withCaBundle(bundle)
                                        .endClientConfig()
                                        .endWebhook()
                                        .build())),
                new BundleReconciler(
                        Resource.MUTATING_WEBHOOK_CONFIGURATIONS,
                        "MutatingWebhookConfiguration",
                        (client, webhook, bundle) -> client.admissionRegistration()
                                .v1()
                                .mutatingWebhookConfigurations()
                                .resource(new MutatingWebhookConfigurationBuilder()
                                        .withNewMetadata()
                                        .withName(NAME)
                                        .endMetadata()
                                        .addNewWebhook()
                                        .withName(webhook)
                                        .withNewClientConfig()
                                        .withCaBundle(bundle)
                                        .endClientConfig()
                                        .endWebhook()
                                        .build())));
    }

    public void start() {
        webhookCertificate.onChange(() -> bundleReconcilers.forEach(reconciler -> reconciler.renewalLoop.wake()));
        bundleReconcilers.forEach(reconciler -> reconciler.webhookStore.start(managementApi));
    }

    public void stop() {
        bundleReconcilers.forEach(BundleReconciler::stop);
    }

    /** The problem to report; empty if all existing configurations are correct. */
    public Optional<Problem> problem() {
        return bundleReconcilers.stream()
                .map(reconciler -> reconciler.problem)
                .filter(Objects::nonNull)
                .findFirst();
    }

    /** The bundle of one webhook of a configuration. */
    @FunctionalInterface
    private interface BundleManifest {
        ServerSideApplicable<? extends HasMetadata> of(KubernetesClient client, String webhook, String bundle);
    }

    /** Reconciles one configuration. */
    private final class BundleReconciler {
        private final String kind;
        private final BundleManifest manifest;
        private final RenewalLoop renewalLoop;
        /** The webhooks of the configuration. */
        private final ManagementStore<JsonNode> webhookStore;

        private volatile @Nullable Problem problem;

        BundleReconciler(Resource resource, String kind, BundleManifest manifest) {
            this.kind = kind;
            this.manifest = manifest;
            this.renewalLoop = new RenewalLoop(
                    "Update of the caBundle of " + kind + " " + NAME,
                    () -> RETRY,
                    () -> renew(),
                    (cause, inARow) -> report(cause),
                    runtimeContext);
            this.webhookStore = new ManagementStore<>(
                    Selection.where(resource, "", "metadata.name=" + NAME),
                    object -> object.path("webhooks"),
                    (key, before, after, origin) -> renewalLoop.wake(),
                    new NoopListWatchListener() {
                        @Override
                        public void onSynced() {
                            renewalLoop.wake();
                        }

                        @Override
                        public void onAccessDenied(ApiFailure failure) {
                            LOG.atWarn()
                                    .addKeyValue("cause", failure.text())
                                    .log("Cannot watch {} {}, so its caBundle is not maintained", kind, NAME);
                        }
                    },
                    runtimeContext);
        }

        /** Delay of the next run; null to wait for a change. */
        private @Nullable Duration renew() throws ApiFailure {
            String authorities = webhookCertificate.authorities();
            JsonNode webhooks = webhookStore.find("", NAME);
            if (authorities == null || authorities.isEmpty() || webhooks == null) {
                problem = null;
                return null;
            }
            String bundle = Base64.getEncoder().encodeToString(authorities.getBytes(UTF_8));
            ApiFailure conflict = null;
            for (JsonNode webhook : webhooks) {
                String name = webhook.path("name").asText();
                if (name.endsWith(OWN)
                        && !webhook.at("/clientConfig/caBundle").asText().equals(bundle)) {
                    if (!mayWrite.getAsBoolean()) {
                        return RETRY.initialDelay();
                    }
                    try {
                        apply(name, bundle);
                    } catch (ApiFailure e) {
                        if (!e.isConflict()) {
                            throw e;
                        }
                        conflict = e;
                    }
                }
            }
            if (conflict != null) {
                throw conflict;
            }
            problem = null;
            return null;
        }

        /** Each webhook has its own field manager, because an apply with one conflict changes nothing. */
        private void apply(String webhook, String bundle) throws ApiFailure {
            managementApi.call(client -> manifest.of(client, webhook, bundle)
                    .fieldManager(fieldManager + "-" + webhook)
                    .serverSideApply());
            LOG.info("Updated caBundle of webhook {} in {} {}", webhook, kind, NAME);
        }

        private void report(String cause) {
            Problem now = Reason.WebhookBundleNotPatched.with(
                    "kind",
                    kind,
                    "name",
                    NAME,
                    "cause",
                    "and could not be patched (" + cause + ")",
                    "fix",
                    "allow patch on it, or keep other writers from it");
            if (!now.equals(problem)) {
                LOG.atWarn().log(now.message());
            }
            problem = now;
        }

        void stop() {
            renewalLoop.stop();
            webhookStore.stop();
        }
    }
}
