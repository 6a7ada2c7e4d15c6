package io.osmhub.tenancy.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.plan.HubIdentity;
import io.osmhub.core.settings.TenantSettings.Admission;
import io.osmhub.core.workercluster.WorkerClusterSpec.AdmissionSettings.AdmissionMode;
import io.osmhub.core.workercluster.WorkerClusterSpec.AdmissionSettings.FailurePolicy;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.FakeApiServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WebhookReconcilerTest {
    private static final Resource KIND = Resource.MUTATING_WEBHOOK_CONFIGURATIONS;

    private final VirtualTime time = new VirtualTime();
    private final FakeApiServer worker = new FakeApiServer(time);
    private final KubeApi api = new Applying(worker);
    private @Nullable String authorities = "the authority";
    private @Nullable Runnable changed;
    private int repairs;

    private final WebhookReconciler webhook = new WebhookReconciler(
            new WebhookReconciler.WebhookTenant("tenant-a", "blue", "uid-1", () -> new HubIdentity("hub-1", Set.of())),
            new AdmissionEndpoint() {
                @Override
                public String url() {
                    return "https://hub.example.org:9443";
                }

                @Override
                public @Nullable String authorities() {
                    return authorities;
                }

                @Override
                public void addChangeListener(Runnable task) {
                    changed = task;
                }
            },
            new WebhookReconciler.WebhookListener() {
                @Override
                public void onProblemChanged() {}

                @Override
                public void onRepaired() {
                    repairs++;
                }
            },
            new RuntimeContext(time, time, new Random(1)));

    /** The in-memory API server lacks server-side apply: this creates or merges the object. */
    private record Applying(FakeApiServer server) implements KubeApi {
        @Override
        public byte[] send(ApiRequest request) throws ApiFailure {
            if (!request.contentType().equals(ApiRequest.APPLY_PATCH)) {
                return server.send(request);
            }
            String body = Objects.requireNonNull(request.body());
            return server.object(KIND, "", request.name()) == null
                    ? server.send(ApiRequest.create(KIND, "", body))
                    : server.send(ApiRequest.patch(KIND, "", request.name(), ApiRequest.MERGE_PATCH, body));
        }

        @Override
        public Watch watch(ApiRequest request, WatchLineHandler lines) {
            return server.watch(request, lines);
        }
    }

    private void want(@Nullable AdmissionMode mode, FailurePolicy policy) {
        webhook.setDesired(new WebhookReconciler.DesiredWebhook(api, new Admission(mode, policy, 5), "v1.34.2"));
        time.settle();
    }

    private @Nullable ObjectNode stored() {
        return worker.object(KIND, "", "osm-hub");
    }

    private JsonNode entry() {
        return Objects.requireNonNull(stored(), "there is a configuration").at("/webhooks/0");
    }

    @Test
    void itIsInstalledWithThePathOfItsTenant() {
        want(null, FailurePolicy.IGNORE);

        assertThat(entry().path("name").asText()).isEqualTo("machinedeployments.osmhub.io");
        assertThat(entry().at("/clientConfig/url").asText())
                .isEqualTo("https://hub.example.org:9443" + AdmissionPath.of("tenant-a", "blue", "uid-1"));
        assertThat(Base64.getDecoder()
                        .decode(entry().at("/clientConfig/caBundle").asText()))
                .asString()
                .isEqualTo("the authority");
        assertThat(entry().path("failurePolicy").asText()).isEqualTo("Ignore");
        assertThat(entry().path("matchConditions")).hasSize(2);
        assertThat(webhook.problem()).isNull();
    }

    @Test
    void whatIsRightIsNotWrittenAgain() {
        want(AdmissionMode.MANAGED, FailurePolicy.IGNORE);
        worker.forgetRequests();

        webhook.reconcile();
        time.pass(Duration.ofMinutes(10));

        assertThat(worker.writes()).isZero();
        assertThat(repairs).isZero();
    }

    @Test
    void whatSomebodyRemovesOrEditsIsRestored() {
        want(null, FailurePolicy.IGNORE);

        worker.remove(KIND, "", "osm-hub");
        time.pass(Duration.ofSeconds(2));
        assertThat(stored()).isNotNull();
        ObjectNode edited = Objects.requireNonNull(stored()).deepCopy();
        ((ObjectNode) edited.at("/webhooks/0/clientConfig")).put("url", "https://example.org/");
        worker.put(KIND, edited.toString(), "another-writer");
        time.pass(Duration.ofSeconds(5));

        assertThat(entry().at("/clientConfig/url").asText()).startsWith("https://hub.example.org");
        assertThat(repairs).isEqualTo(2);
    }

    @Test
    void anotherAuthorityAndOtherSettingsAreWrittenAtOnce() {
        want(null, FailurePolicy.IGNORE);

        for (int number = 0; number < 5; number++) {
            authorities = "authority " + number;
            webhook.reconcile();
            time.settle();

            assertThat(Base64.getDecoder()
                            .decode(entry().at("/clientConfig/caBundle").asText()))
                    .asString()
                    .isEqualTo(authorities);
        }
        want(null, FailurePolicy.FAIL);
        assertThat(entry().path("failurePolicy").asText()).isEqualTo("Fail");
        assertThat(repairs).isZero();
    }

    @Test
    void nothingIsInstalledBeforeThereIsACertificate() {
        authorities = null;
        want(null, FailurePolicy.IGNORE);
        assertThat(stored()).isNull();

        authorities = "";
        webhook.reconcile();
        time.settle();

        assertThat(entry().path("clientConfig").has("caBundle")).isFalse();
        assertThat(changed).isNull();
    }

    @Test
    void anOlderApiServerGetsNoMatchConditions() {
        webhook.setDesired(new WebhookReconciler.DesiredWebhook(
                api, new Admission(null, FailurePolicy.IGNORE, 5), "v1.27.9-gke.1"));
        time.settle();

        assertThat(entry().has("matchConditions")).isFalse();
    }

    @Test
    void itIsRemovedWhenItIsNotWantedAndOnlyOnceLookedFor() {
        want(null, FailurePolicy.IGNORE);

        want(AdmissionMode.NONE, FailurePolicy.IGNORE);

        assertThat(stored()).isNull();
        worker.forgetRequests();
        webhook.reconcile();
        time.settle();
        assertThat(worker.requests()).isEmpty();
    }

    @Test
    void anotherHubsIsLeftAlone() {
        worker.put(KIND, """
                {"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration",
                 "metadata":{"name":"osm-hub","annotations":{"osmhub.io/hub-id":"hub-2"}},"webhooks":[]}""", "other");

        want(null, FailurePolicy.IGNORE);
        assertThat(Objects.requireNonNull(webhook.problem()).message()).contains("belongs to another hub");

        want(AdmissionMode.NONE, FailurePolicy.IGNORE);
        assertThat(stored()).isNotNull();
    }

    @Test
    void aRefusalIsToldUntilItIsGranted() {
        worker.failWrites(FakeApiServer.status(403, "Forbidden", "osm-hub may not patch"));
        want(null, FailurePolicy.IGNORE);
        assertThat(Objects.requireNonNull(webhook.problem()).message())
                .isEqualTo("tenant-a: WorkerCluster blue, spec.admission.mode: the webhook configuration was rejected"
                        + " (osm-hub may not patch); grant it (hub cluster rbac --admission), or set mode None");

        worker.failWrites(null);
        time.pass(Duration.ofMinutes(6));

        assertThat(webhook.problem()).isNull();
        assertThat(stored()).isNotNull();
    }

    @Test
    void withoutAConnectionNothingIsAsked() {
        want(null, FailurePolicy.IGNORE);
        webhook.setDesired(null);
        time.settle();
        worker.forgetRequests();

        worker.remove(KIND, "", "osm-hub");
        time.pass(Duration.ofMinutes(10));

        assertThat(worker.requests()).isEmpty();
        webhook.close();
    }

    /** The tenant is removed while a write is in progress. */
    @Test
    void aRemovalComesAfterTheWriteUnderWay() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch arrives = new CountDownLatch(1);
        KubeApi slow = beforeApply(() -> {
            writing.countDown();
            try {
                assertThat(arrives.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        webhook.setDesired(
                new WebhookReconciler.DesiredWebhook(slow, new Admission(null, FailurePolicy.IGNORE, 5), "v1.34.2"));
        Thread hub = Thread.ofVirtual().start(time::settle);
        assertThat(writing.await(30, TimeUnit.SECONDS)).isTrue();

        webhook.close();
        FutureTask<Boolean> removal = new FutureTask<>(() -> {
            webhook.remove(api);
            return true;
        });
        Thread leaving = Thread.ofVirtual().start(removal);
        while (leaving.getState() != Thread.State.TIMED_WAITING && leaving.getState() != Thread.State.TERMINATED) {
            Thread.onSpinWait();
        }
        arrives.countDown();
        hub.join();

        assertThat(removal.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(stored()).isNull();
    }

    @Test
    void nothingIsWrittenOnceTheTenantLeaves() throws ApiFailure {
        KubeApi leaving = beforeApply(() -> {});
        webhook.setDesired(
                new WebhookReconciler.DesiredWebhook(leaving, new Admission(null, FailurePolicy.IGNORE, 5), "v1.34.2"));

        webhook.close();
        webhook.remove(api);
        time.pass(Duration.ofMinutes(10));

        assertThat(stored()).isNull();
    }

    /** The connection broke after the request was sent; the API server applies it later. */
    @Test
    void aRemovalIsNotOverWhileAWriteWithoutAnAnswerMayStillArrive() throws ApiFailure {
        want(null, FailurePolicy.IGNORE);
        String manifest = Objects.requireNonNull(stored()).toString();
        worker.remove(KIND, "", "osm-hub");
        KubeApi lost = new KubeApi() {
            @Override
            public byte[] send(ApiRequest request) throws ApiFailure {
                if (request.contentType().equals(ApiRequest.APPLY_PATCH)) {
                    throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TIMED_OUT, "no answer");
                }
                return api.send(request);
            }

            @Override
            public Watch watch(ApiRequest request, WatchLineHandler lines) {
                return api.watch(request, lines);
            }
        };
        webhook.setDesired(
                new WebhookReconciler.DesiredWebhook(lost, new Admission(null, FailurePolicy.IGNORE, 5), "v1.34.2"));
        time.settle();
        webhook.close();

        ApiFailure failure = catchThrowableOfType(ApiFailure.class, () -> webhook.remove(api));
        worker.put(KIND, manifest, "osm-hub");
        time.pass(Duration.ofSeconds(61));
        webhook.remove(api);

        assertThat(failure.text()).contains("may still take effect");
        assertThat(failure.isTransient()).isTrue();
        assertThat(stored()).isNull();
    }

    private KubeApi beforeApply(Runnable task) {
        return new KubeApi() {
            @Override
            public byte[] send(ApiRequest request) throws ApiFailure {
                if (request.contentType().equals(ApiRequest.APPLY_PATCH)) {
                    task.run();
                }
                return api.send(request);
            }

            @Override
            public Watch watch(ApiRequest request, WatchLineHandler lines) {
                return api.watch(request, lines);
            }
        };
    }
}
