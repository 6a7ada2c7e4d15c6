package io.osmhub.tenancy.concern;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.osmhub.core.problem.Problem;
import io.osmhub.tenancy.concern.ManagementPermissionMonitor.ManagementPermissions;
import io.osmhub.tenancy.connection.Permission;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.tenancy.registry.TenantAccess;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.fake.ServerHandler;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.watch.RuntimeContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ManagementPermissionMonitorTest {
    private static final Path MANIFEST =
            Path.of(System.getProperty("osmhub.root", ".."), "deploy/packaging/manifests/rbac-management.yaml");
    private static final ManagementPermissions EVERYTHING = new ManagementPermissions(true, true, true, true, true);

    private final VirtualTime time = new VirtualTime();
    private final RuntimeContext around = new RuntimeContext(time, time, new Random(1));
    private final Reviewer cluster = new Reviewer();
    private final ManagementPermissionMonitor review =
            new ManagementPermissionMonitor(cluster.api(), EVERYTHING.list("osm-hub"), around);

    /** Reviews a caller who has all permissions of a list but some; can omit rules. */
    private static final class Reviewer implements ServerHandler {
        final List<Permission> denied = new ArrayList<>();
        boolean tellsRules = true;
        boolean silent;
        int asked;

        @Override
        public byte[] send(ApiRequest request) throws ApiFailure {
            asked++;
            if (silent) {
                throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TIMED_OUT, "no answer");
            }
            JsonNode review;
            try {
                review = WireJson.read(Objects.requireNonNull(request.body()).getBytes(UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            var answer = WireJson.object();
            var status = answer.putObject("status");
            switch (review.path("kind").asText()) {
                case "SelfSubjectReview" -> status.putObject("userInfo").put("username", "the-hub");
                case "SelfSubjectRulesReview" -> {
                    status.put("incomplete", !tellsRules);
                    rules(
                            status.putArray("resourceRules"),
                            review.at("/spec/namespace").asText());
                }
                default -> {
                    JsonNode asks = review.path("spec").path("resourceAttributes");
                    String sub = asks.path("subresource").asText("");
                    Permission permission = new Permission(
                            asks.path("verb").asText(),
                            asks.path("group").asText(),
                            asks.path("resource").asText() + (sub.isEmpty() ? "" : "/" + sub),
                            asks.path("namespace").asText(),
                            asks.path("name").asText());
                    status.put("allowed", !denied.contains(permission));
                }
            }
            return WireJson.text(answer).getBytes(UTF_8);
        }

        private void rules(ArrayNode rules, String namespace) {
            if (!tellsRules) {
                return;
            }
            for (Permission permission : EVERYTHING.list("osm-hub")) {
                boolean clusterWide = permission.namespace().isEmpty();
                if (!denied.contains(permission) && (clusterWide || namespace.equals(permission.namespace()))) {
                    var rule = rules.addObject();
                    rule.putArray("verbs").add(permission.verb());
                    rule.putArray("apiGroups").add(permission.group());
                    rule.putArray("resources").add(permission.resource());
                    if (!permission.name().isEmpty()) {
                        rule.putArray("resourceNames").add(permission.name());
                    }
                }
            }
        }

        @Override
        public Watch watch(ApiRequest request, WatchLineHandler lines) {
            throw new IllegalStateException("nothing is watched");
        }
    }

    @Test
    void theListIsExactlyWhatTheManifestGrants() throws IOException {
        assertThat(EVERYTHING.list("osm-hub")).containsExactlyInAnyOrderElementsOf(granted(false));
        assertThat(TenantAccess.permissions("")).containsExactlyInAnyOrderElementsOf(granted(true));
    }

    @Test
    void whatAHubDoesNotDoItNeedsNoPermissionFor() {
        assertThat(new ManagementPermissions(false, false, false, false, false).list("osm-hub"))
                .noneMatch(permission -> permission.resource().equals("leases"))
                .noneMatch(permission -> permission.resource().endsWith("reviews"))
                .noneMatch(permission -> permission.resource().endsWith("webhookconfigurations"))
                .noneMatch(permission -> permission.resource().equals("customresourcedefinitions")
                        && !Set.of("get", "list", "watch").contains(permission.verb()));
    }

    @Test
    void whoMayDoEverythingIsAskedAboutTwiceInFiveMinutes() {
        review.start();
        time.settle();
        assertThat(cluster.asked).isEqualTo(2);

        time.pass(ManagementPermissionMonitor.PERIOD.minusSeconds(1));
        assertThat(cluster.asked).isEqualTo(2);
        time.pass(Duration.ofSeconds(2));
        assertThat(cluster.asked).isEqualTo(4);
        assertThat(review.problem()).isEmpty();
    }

    @Test
    void aMissingPermissionIsNamedUntilItIsGranted() {
        cluster.denied.add(new Permission("patch", "osmhub.io", "workerclusters/status", "", ""));
        cluster.denied.add(new Permission("update", "coordination.k8s.io", "leases", "osm-hub", ""));
        review.start();
        time.settle();

        assertThat(review.problem().map(Problem::message))
                .contains(
                        "hub: management cluster: the-hub may not update leases.coordination.k8s.io in namespace osm-hub"
                                + " (and 1 more); apply the manifests of this version (rbac-management.yaml)");

        cluster.denied.clear();
        time.pass(ManagementPermissionMonitor.SOON.plusSeconds(1));
        assertThat(review.problem()).isEmpty();
    }

    @Test
    void anAuthorizerThatDoesNotListItsRulesIsAskedOneByOne() {
        cluster.tellsRules = false;
        review.start();
        time.settle();

        assertThat(review.problem()).isEmpty();
        assertThat(cluster.asked).isEqualTo(2 + EVERYTHING.list("osm-hub").size());
    }

    @Test
    void silenceIsNoLackOfPermission() {
        cluster.silent = true;
        review.start();
        time.pass(Duration.ofMinutes(2));

        assertThat(review.problem()).isEmpty();
        assertThat(cluster.asked).isGreaterThan(2);
    }

    /** One permission for each verb, group, resource and name of the role for tenants' namespaces, or of all other roles. */
    private static List<Permission> granted(boolean tenants) throws IOException {
        List<Permission> all = new ArrayList<>();
        try (MappingIterator<JsonNode> documents =
                new YAMLMapper().readerFor(JsonNode.class).readValues(MANIFEST.toFile())) {
            while (documents.hasNext()) {
                JsonNode object = documents.next();
                if (object.path("metadata").path("name").asText().equals(TenantAccess.ROLE) != tenants) {
                    continue;
                }
                String namespace = object.path("metadata").path("namespace").asText("");
                object.path("rules").forEach(rule -> rule.path("verbs")
                        .forEach(verb -> rule.path("resources").forEach(resource -> {
                            List<String> names = new ArrayList<>();
                            rule.path("resourceNames").forEach(name -> names.add(name.asText()));
                            for (String name : names.isEmpty() ? List.of("") : names) {
                                all.add(new Permission(
                                        verb.asText(),
                                        rule.path("apiGroups").path(0).asText(),
                                        resource.asText(),
                                        namespace,
                                        name));
                            }
                        })));
            }
        }
        return all;
    }
}
