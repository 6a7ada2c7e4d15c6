package io.osmhub.tenancy.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.plan.HubIdentity;
import io.osmhub.core.settings.TenantSettings.Admission;
import io.osmhub.core.settings.TenantSettings.AdmissionMode;
import io.osmhub.core.settings.TenantSettings.FailurePolicy;
import io.osmhub.tenancy.lease.InFlightWrites;
import io.osmhub.tenancy.lease.WriteFence;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.ServerHandler;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.reconcile.TenantRemoval.CleanupResult;
import io.osmhub.workersync.watch.RuntimeContext;
import java.nio.charset.StandardCharsets;
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

class TenantWebhookTest {
    private static final Resource KIND = Resource.MUTATING_WEBHOOK_CONFIGURATIONS;
    private static final HubIdentity HUB = new HubIdentity("hub-1", Set.of());

    private final VirtualTime time = new VirtualTime();
    private final SimulatedServer worker = new SimulatedServer(time);
    private final KubeApi kubeApi = worker.api();
    private @Nullable String url = "https://hub.example.org:9443";
    private @Nullable String authorities = "the authority";
    private int changes;

    private final TenantWebhook webhook = new TenantWebhook(
            WorkerClusterRecord.fixed("tenant-a", "blue"),
            new AdmissionEndpoint() {
                @Override
                public @Nullable String url() {
                    return url;
                }

                @Override
                public @Nullable String authorities() {
                    return authorities;
                }

                @Override
                public void addChangeListener(Runnable task) {}
            },
            new WriteFence(() -> true, namespace -> true, new InFlightWrites(), () -> {}),
            () -> changes++,
            new RuntimeContext(time, time, new Random(1)));

    private void want(@Nullable AdmissionMode mode, FailurePolicy policy) {
        webhook.keep(kubeApi, new Admission(mode, policy, 5), HUB);
        time.settle();
    }

    private @Nullable ObjectNode stored() {
        return worker.object(KIND, "", "osm-hub");
    }

    private JsonNode entry() {
        return Objects.requireNonNull(stored(), "there is a configuration").at("/webhooks/0");
    }

    /** Another writer changes the failure policy. */
    private void edit(String failurePolicy) {
        ObjectNode edited = Objects.requireNonNull(stored());
        ((ObjectNode) edited.at("/webhooks/0")).put("failurePolicy", failurePolicy);
        worker.put(KIND, edited.toString(), "kubectl-edit");
    }

    private static boolean applies(ApiRequest request) {
        return request.contentType().equals(ApiRequest.APPLY_PATCH);
    }

    private String bundle() {
        return new String(
                Base64.getDecoder().decode(entry().at("/clientConfig/caBundle").asText()),
                java.nio.charset.StandardCharsets.UTF_8);
    }

    private String problem() {
        return webhook.problem().orElseThrow().message();
    }

    @Test
    void itIsInstalledWithThePathOfItsTenant() {
        want(null, FailurePolicy.IGNORE);

        assertThat(entry().path("name").asText()).isEqualTo("machinedeployments.osmhub.io");
        assertThat(entry().at("/clientConfig/url").asText())
                .isEqualTo("https://hub.example.org:9443" + AdmissionPath.of("tenant-a", "blue", "fixed"));
        assertThat(bundle()).isEqualTo("the authority");
        assertThat(entry().path("failurePolicy").asText()).isEqualTo("Ignore");
        assertThat(entry().path("matchConditions")).hasSize(2);
        assertThat(entry().at("/matchConditions/1/expression").asText())
                .startsWith("request.operation == 'CREATE' || object.spec.template != oldObject.spec.template || ")
                .contains("!('k8c.io/operating-system-profile' in object.metadata.annotations)");
        assertThat(Objects.requireNonNull(stored())
                        .at("/metadata/annotations/osmhub.io~1hub-id")
                        .asText())
                .isEqualTo("hub-1");
        assertThat(webhook.problem()).isEmpty();
        assertThat(changes).isZero();
    }

    @Test
    void whatIsWantedAlreadyIsAppliedOnlyEveryFewMinutes() {
        want(AdmissionMode.MANAGED, FailurePolicy.IGNORE);
        worker.forgetRequests();

        want(AdmissionMode.MANAGED, FailurePolicy.IGNORE);
        assertThat(worker.requests()).isEmpty();
        time.pass(Duration.ofMinutes(21));

        assertThat(worker.writes()).isEqualTo(4);
    }

    @Test
    void oneThatIsDeletedIsAppliedAgain() {
        want(null, FailurePolicy.IGNORE);

        worker.remove(KIND, "", "osm-hub");
        time.pass(Duration.ofMinutes(6));

        assertThat(stored()).isNotNull();
    }

    @Test
    void whatAnotherWriterHasTakenIsLeftToItAndReported() {
        want(null, FailurePolicy.IGNORE);
        edit("Fail");
        edit("Ignore");

        want(null, FailurePolicy.FAIL);
        time.pass(Duration.ofHours(1));

        assertThat(problem()).contains("conflict with \"kubectl-edit\"", "delete the configuration of another writer");
        assertThat(entry().path("failurePolicy").asText()).isEqualTo("Ignore");
        assertThat(changes).isEqualTo(1);
        worker.remove(KIND, "", "osm-hub");
        time.pass(Duration.ofMinutes(6));
        assertThat(webhook.problem()).isEmpty();
        assertThat(entry().path("failurePolicy").asText()).isEqualTo("Fail");
    }

    @Test
    void anotherAuthorityAndOtherSettingsAreAppliedAtOnce() {
        want(null, FailurePolicy.IGNORE);

        for (int number = 0; number < 5; number++) {
            authorities = "authority " + number;
            want(null, FailurePolicy.IGNORE);

            assertThat(bundle()).isEqualTo(authorities);
        }
        want(null, FailurePolicy.FAIL);
        assertThat(entry().path("failurePolicy").asText()).isEqualTo("Fail");
    }

    @Test
    void nothingIsInstalledBeforeThereIsACertificate() {
        authorities = null;
        want(null, FailurePolicy.IGNORE);
        assertThat(stored()).isNull();

        authorities = "";
        want(null, FailurePolicy.IGNORE);

        assertThat(entry().path("clientConfig").has("caBundle")).isFalse();
    }

    @Test
    void withoutAnAddressNothingIsAsked() {
        url = null;

        want(AdmissionMode.NONE, FailurePolicy.IGNORE);

        assertThat(webhook.removeWebhook(kubeApi, HUB)).isTrue();
        assertThat(worker.requests()).isEmpty();
    }

    @Test
    void itIsRemovedWhenItIsNotWantedAndOnlyOnceLookedFor() {
        want(null, FailurePolicy.IGNORE);

        want(AdmissionMode.NONE, FailurePolicy.IGNORE);

        assertThat(stored()).isNull();
        worker.forgetRequests();
        want(AdmissionMode.NONE, FailurePolicy.IGNORE);
        time.pass(Duration.ofMinutes(10));
        assertThat(worker.requests()).isEmpty();
    }

    @Test
    void anotherHubsIsLeftAlone() {
        worker.put(KIND, """
                {"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration",
                 "metadata":{"name":"osm-hub","annotations":{"osmhub.io/hub-id":"hub-2"}},"webhooks":[]}""", "other");

        want(null, FailurePolicy.IGNORE);
        assertThat(problem()).contains("belongs to another hub");

        want(AdmissionMode.NONE, FailurePolicy.IGNORE);
        assertThat(stored()).isNotNull();
    }

    @Test
    void aRefusalIsToldUntilItIsGranted() {
        worker.failWrites(SimulatedServer.status(403, "Forbidden", "osm-hub may not patch"));
        want(null, FailurePolicy.IGNORE);
        assertThat(problem())
                .isEqualTo("tenant-a: WorkerCluster blue, spec.admission.mode: the webhook configuration was rejected"
                        + " (osm-hub may not patch); grant it (hub cluster rbac --admission), delete the configuration of"
                        + " another writer, or set mode None: kubectl -n tenant-a edit workercluster blue");

        worker.failWrites(null);
        time.pass(Duration.ofMinutes(6));

        assertThat(webhook.problem()).isEmpty();
        assertThat(stored()).isNotNull();
    }

    @Test
    void withoutAConnectionNothingIsAsked() {
        want(null, FailurePolicy.IGNORE);
        webhook.keep(null, new Admission(null, FailurePolicy.IGNORE, 5), HUB);
        time.settle();
        worker.forgetRequests();

        worker.remove(KIND, "", "osm-hub");
        time.pass(Duration.ofMinutes(10));

        assertThat(worker.requests()).isEmpty();
        webhook.close();
    }

    @Test
    void aProblemRemainsReportedWithoutAConnectionButNotWithoutAnAddress() {
        worker.failWrites(SimulatedServer.status(403, "Forbidden", "osm-hub may not patch"));
        want(null, FailurePolicy.IGNORE);
        assertThat(changes).isEqualTo(1);

        webhook.keep(null, new Admission(null, FailurePolicy.IGNORE, 5), HUB);
        time.settle();
        want(null, FailurePolicy.IGNORE);

        assertThat(webhook.problem()).isPresent();
        assertThat(changes).isEqualTo(1);
        webhook.keep(null, new Admission(null, FailurePolicy.IGNORE, 5), HUB);
        url = null;
        want(null, FailurePolicy.IGNORE);
        assertThat(webhook.problem()).isEmpty();
    }

    /** The tenant is removed while a write is in progress. */
    @Test
    void aRemovalComesAfterTheWriteUnderWay() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch arrives = new CountDownLatch(1);
        worker.faults((request, number) -> {
            if (applies(request)) {
                writing.countDown();
                try {
                    assertThat(arrives.await(30, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            return null;
        });
        webhook.keep(kubeApi, new Admission(null, FailurePolicy.IGNORE, 5), HUB);
        Thread hub = Thread.ofVirtual().start(time::settle);
        assertThat(writing.await(30, TimeUnit.SECONDS)).isTrue();

        FutureTask<Boolean> removal = new FutureTask<>(() -> webhook.removeWebhook(kubeApi, HUB));
        Thread leaving = Thread.ofPlatform().start(removal);
        while (leaving.getState() != Thread.State.BLOCKED && leaving.getState() != Thread.State.TERMINATED) {
            Thread.onSpinWait();
        }
        arrives.countDown();
        hub.join();

        assertThat(removal.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(stored()).isNull();
    }

    @Test
    void nothingIsWrittenOnceTheTenantLeaves() {
        webhook.keep(kubeApi, new Admission(null, FailurePolicy.IGNORE, 5), HUB);

        assertThat(webhook.removeWebhook(kubeApi, HUB)).isTrue();
        time.pass(Duration.ofMinutes(10));

        assertThat(stored()).isNull();
    }

    /** The connection broke after the request was sent; the API server applies it later. */
    @Test
    void aRemovalIsNotOverWhileAWriteWithoutAnAnswerMayStillArrive() {
        want(null, FailurePolicy.IGNORE);
        String manifest = Objects.requireNonNull(stored()).toString();
        worker.remove(KIND, "", "osm-hub");
        ApiFailure lost = ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TIMED_OUT, "no answer");
        worker.reject(request -> applies(request) ? lost : null);
        want(null, FailurePolicy.FAIL);

        assertThat(webhook.removeWebhook(kubeApi, HUB)).isFalse();
        assertThat(webhook.left(new CleanupResult(true, 0, 0, "")).cause()).contains("may still take effect");
        worker.put(KIND, manifest, "osm-hub");
        int before = changes;
        time.pass(Duration.ofSeconds(61));

        assertThat(changes).isGreaterThan(before);
        assertThat(webhook.removeWebhook(kubeApi, HUB)).isTrue();
        assertThat(stored()).isNull();
    }

    @Test
    void withoutAConnectionARemovalIsNotOver() {
        assertThat(webhook.removeWebhook(null, HUB)).isFalse();
        assertThat(webhook.left(new CleanupResult(false, 1, 0, "timed out")).cause())
                .isEqualTo("timed out; webhook configuration osm-hub not removed: not connected");
    }

    @Test
    void aConfigurationWithoutMetadataIsAnUnexpectedResponse() {
        KubeApi broken = new ServerHandler() {
            @Override
            public byte[] send(ApiRequest request) throws ApiFailure {
                return request.verb() == Verb.GET
                        ? "{\"apiVersion\":\"admissionregistration.k8s.io/v1\",\"kind\":\"MutatingWebhookConfiguration\"}"
                                .getBytes(StandardCharsets.UTF_8)
                        : worker.send(request);
            }

            @Override
            public Watch watch(ApiRequest request, WatchLineHandler lines) {
                return worker.watch(request, lines);
            }
        }.api();

        assertThat(webhook.removeWebhook(broken, HUB)).isFalse();

        assertThat(webhook.left(new CleanupResult(true, 0, 0, "")).cause())
                .contains("unexpected response: not a webhook configuration");
        assertThat(worker.writes()).isZero();
    }
}
