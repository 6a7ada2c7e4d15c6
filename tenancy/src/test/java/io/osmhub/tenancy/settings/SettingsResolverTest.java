package io.osmhub.tenancy.settings;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.settings.Setting;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.Allowance;
import io.osmhub.tenancy.kubeconfig.KubeconfigPolicy.KubeconfigRules;
import io.osmhub.tenancy.management.NamespaceCache.NamespaceRecord;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.tenancy.settings.ReferencedObjectCache.ObjectReference;
import io.osmhub.tenancy.settings.SettingsResolver.MergedSettings;
import io.osmhub.tenancy.settings.SettingsResolver.OwnSettings;
import io.osmhub.tenancy.settings.SettingsResolver.ResolvedSettings;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.watch.RuntimeContext;
import java.io.IOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsResolverTest {
    private static final String PEM = "not looked into unless the settings name it";

    private final VirtualTime time = new VirtualTime();
    private final SimulatedServer management = new SimulatedServer(time);
    private final RuntimeContext around = new RuntimeContext(time, time, new Random(1));
    private final Map<String, NamespaceRecord> namespaces = new HashMap<>();
    private Set<Allowance> allowances = Set.of();
    private int changes;
    private final ReferencedObjectCache objects = new ReferencedObjectCache(management.api(), () -> changes++, around);
    private final SettingsValidator checks = new SettingsValidator(
            () -> new KubeconfigRules(allowances, List.of(), List.of()), namespaces::get, time::now);
    private final SettingsResolver resolver = new SettingsResolver(
            "t1", objects, new ReferencedObjectCache(null, () -> changes++, around), checks, false);

    @Test
    void theTenantSpeaksBeforeTheHub() {
        SettingsLayer hub = SettingsLayer.EMPTY
                .with(Setting.CLUSTER_DNS, List.of("10.0.0.1"))
                .with(Setting.PAUSE_IMAGE, "hub/pause");

        ResolvedSettings resolved = resolve("{'provisioning':{'clusterDNS':['10.0.0.2']}}", hub);

        assertThat(resolved.settings().provisioning().clusterDns()).containsExactly("10.0.0.2");
        assertThat(resolved.settings().provisioning().containerRuntime().pauseImage())
                .isEqualTo("hub/pause");
        assertThat(resolved.mistakes()).isEmpty();
        assertThat(Objects.requireNonNull(resolved.references()).kubernetesCa()).isEqualTo(PEM);
    }

    @Test
    void whatIsReferredToIsKnownOnlyWhenItWasRead() throws ApiFailure {
        secret("t1", "proxy", "url", "http://user:pw@proxy:3128");
        String spec = "{'provisioning':{'proxy':{'httpProxySecretRef':{'name':'proxy','key':'url'}}}}";

        ResolvedSettings before = resolveAtOnce(spec);
        ResolvedSettings after = resolve(spec);

        assertThat(before.complete()).isFalse();
        assertThat(before.references()).isNull();
        assertThat(before.mistakes()).isEmpty();
        assertThat(after.complete()).isTrue();
        assertThat(proxy(after)).isEqualTo("http://user:pw@proxy:3128");
        assertThat(after.toString()).doesNotContain("user:pw");
    }

    @Test
    void aChangedObjectIsHeardOfAndGivesItsNewContent() throws ApiFailure {
        secret("t1", "proxy", "url", "http://one:3128");
        String spec = "{'provisioning':{'proxy':{'httpProxySecretRef':{'name':'proxy','key':'url'}}}}";
        resolve(spec);
        changes = 0;

        management.send(ApiRequest.patch(
                Resource.SECRETS,
                "t1",
                "proxy",
                ApiRequest.MERGE_PATCH,
                "{\"data\":{\"url\":\"" + base64("http://two:3128") + "\"}}"));
        time.settle();

        assertThat(changes).isPositive();
        assertThat(proxy(resolve(spec))).isEqualTo("http://two:3128");
    }

    @Test
    void aMissingObjectIsAMistakeThatNamesFieldAndCure() {
        ResolvedSettings resolved =
                resolve("{'provisioning':{'hostCA':{'configMapKeyRef':{'name':'ca','key':'ca.crt'}}}}");

        assertThat(resolved.references()).isNull();
        assertThat(resolved.mistakes())
                .extracting(Problem::toString)
                .containsExactly(
                        "WorkerCluster prod, spec.provisioning.hostCA.configMapKeyRef: no ConfigMap ca with key ca.crt"
                                + " in namespace t1; create it, or correct the reference");
    }

    @Test
    void allMistakesComeAtOnce() {
        ResolvedSettings resolved = resolve(
                "{'provisioning':{'clusterDNS':['nonsense'],'unknown':1,"
                        + "'bootstrap':{'apiServerURL':'https://127.0.0.1:6443'},'registries':{'credentialsSecretRef':{'name':'cloud'}}}}");

        assertThat(resolved.mistakes())
                .extracting(Problem::field)
                .contains(
                        "spec.provisioning.clusterDNS[0]",
                        "spec.provisioning.unknown",
                        "spec.provisioning.bootstrap.apiServerURL",
                        "spec.provisioning.registries.credentialsSecretRef");
    }

    @Test
    void warnsOfCloudCredentials() {
        ResolvedSettings resolved = resolve("{'provisioning':{'cloudCredentialsSecretRef':{'name':'cloud'}}}");

        assertThat(resolved.mistakes()).isEmpty();
        assertThat(resolved.warnings())
                .extracting(Problem::field)
                .containsExactly("spec.provisioning.cloudCredentialsSecretRef");
        assertThat(objects.watched()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://127.0.0.1:6443",
                "https://127.9.9.9",
                "https://[::1]:6443",
                "https://localhost:6443",
                "https://api.localhost",
                "https://169.254.169.254",
                "https://[fe80::1]"
            })
    void nodesAreNotSentToThemselves(String url) {
        String spec = "{'provisioning':{'bootstrap':{'apiServerURL':'" + url + "'}}}";

        assertThat(resolve(spec).mistakes())
                .extracting(Problem::field)
                .containsExactly("spec.provisioning.bootstrap.apiServerURL");
        allowances = Set.of(Allowance.LOOPBACK, Allowance.LINK_LOCAL);
        assertThat(resolve(spec).mistakes()).isEmpty();
    }

    @Test
    void aGrantOfANamespaceThatOffersNothingIsAWarning() {
        TreeMap<String, String> labels = new TreeMap<>();
        labels.put(NamespaceRecord.SHARE_PROFILES, "true");
        namespaces.put("offering", new NamespaceRecord("offering", "u1", labels, false));
        namespaces.put("silent", new NamespaceRecord("silent", "u2", new TreeMap<>(), false));

        ResolvedSettings resolved = resolve("{'profiles':{'namespaces':['offering','silent','none']}}");

        assertThat(resolved.mistakes()).isEmpty();
        assertThat(resolved.references()).isNotNull();
        assertThat(resolved.warnings())
                .extracting(Problem::field)
                .containsExactly("spec.profiles.namespaces[1]", "spec.profiles.namespaces[2]");
    }

    @Test
    void onlyNamedObjectsAreWatchedAndOnlyAsLongAsTheyAreNamed() {
        resolve(
                "{'provisioning':{'registries':{'credentialsSecretRef':{'name':'cloud'}},'hostCA':{'secretKeyRef':{'name':'ca','key':'k'}}}}");
        assertThat(objects.watched())
                .containsExactlyInAnyOrder(
                        new ObjectReference(Resource.SECRETS, "t1", "cloud"),
                        new ObjectReference(Resource.SECRETS, "t1", "ca"));
        assertThat(management.requests()).isNotEmpty().allSatisfy(request -> assertThat(
                        request.query().getOrDefault("fieldSelector", ""))
                .startsWith("metadata.name="));

        resolve("{}");

        assertThat(objects.watched()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../../t2/secrets/theirs",
                "t2/theirs",
                "..",
                "theirs,metadata.namespace=t2",
                "a,metadata.name!=b",
                "*",
                "theirs ",
                "THEIRS",
                "%2e%2e/t2/secrets/theirs",
                "theirs?x",
                "theirs#",
                "theirs\u0000",
                "{{theirs}}",
                "a=b",
                "a b",
                "."
            })
    void noTextOfAReferenceReadsAnotherTenantsSecret(String name) throws ApiFailure {
        secret("t2", "theirs", "url", "http://secret-of-t2:1");
        ObjectNode spec = WireJson.object();
        spec.withObject("/provisioning/proxy/httpProxySecretRef")
                .put("name", name)
                .put("key", "url");
        spec.withObject("/provisioning/registries/credentialsSecretRef").put("name", name);
        spec.withObject("/provisioning/hostCA/secretKeyRef").put("name", name).put("key", "url");
        spec.withObject("/provisioning/kubernetesCA/configMapKeyRef")
                .put("name", name)
                .put("key", "url");
        management.forgetRequests();

        ResolvedSettings resolved = resolve(spec.toString());

        assertThat(resolved.references()).isNull();
        assertThat(resolved.mistakes()).isNotEmpty();
        assertThat(resolved.mistakes().toString()).doesNotContain("secret-of-t2");
        assertThat(management.requests()).allSatisfy(request -> {
            assertThat(request.namespace()).isEqualTo("t1");
            assertThat(request.query().getOrDefault("fieldSelector", "")).doesNotContain(",");
        });
    }

    @Test
    void aNamespaceOfAReferenceIsNoFieldOfATenantsSettings() throws ApiFailure {
        secret("t2", "theirs", ".dockerconfigjson", "{}");

        ResolvedSettings resolved =
                resolve("{'provisioning':{'registries':{'credentialsSecretRef':{'name':'theirs','namespace':'t2'}}}}");

        assertThat(resolved.mistakes())
                .extracting(Problem::field)
                .contains("spec.provisioning.registries.credentialsSecretRef.namespace");
        assertThat(management.requests())
                .allSatisfy(request -> assertThat(request.namespace()).isEqualTo("t1"));
    }

    private ResolvedSettings resolve(String spec) {
        return resolve(spec, SettingsLayer.EMPTY);
    }

    private ResolvedSettings resolve(String spec, SettingsLayer hub) {
        management.forgetRequests();
        OwnSettings own = SettingsResolver.read(ProblemObject.of("WorkerCluster", "prod"), json(spec));
        MergedSettings merged = MergedSettings.of(own, OwnSettings.of(SettingsLayer.EMPTY), hub);
        resolver.resolve(ProblemObject.of("WorkerCluster", "prod"), merged, PEM);
        time.settle();
        return resolver.resolve(ProblemObject.of("WorkerCluster", "prod"), merged, PEM);
    }

    private ResolvedSettings resolveAtOnce(String spec) {
        OwnSettings own = SettingsResolver.read(ProblemObject.of("WorkerCluster", "prod"), json(spec));
        return resolver.resolve(
                ProblemObject.of("WorkerCluster", "prod"),
                MergedSettings.of(own, OwnSettings.of(SettingsLayer.EMPTY), SettingsLayer.EMPTY),
                PEM);
    }

    private static String proxy(ResolvedSettings resolved) {
        RenderInput.References references = Objects.requireNonNull(resolved.references());
        return Objects.requireNonNull(references.secretHttpProxy()).reveal();
    }

    private void secret(String namespace, String name, String key, String value) throws ApiFailure {
        ObjectNode object = object(namespace, name);
        object.putObject("data").put(key, base64(value));
        management.send(ApiRequest.create(Resource.SECRETS, namespace, object.toString()));
    }

    private static ObjectNode object(String namespace, String name) {
        ObjectNode object = WireJson.object();
        object.putObject("metadata").put("namespace", namespace).put("name", name);
        return object;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private static JsonNode json(String text) {
        try {
            return WireJson.read((text.startsWith("{'") ? text.replace('\'', '"') : text).getBytes(UTF_8));
        } catch (IOException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
