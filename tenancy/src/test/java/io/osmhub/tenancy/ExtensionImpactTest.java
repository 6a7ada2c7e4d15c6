package io.osmhub.tenancy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.admission.AdmissionView.ExtensionImpact;
import io.osmhub.tenancy.catalog.StoredExtension;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProposedProfileLister;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What admission finds out about an extension before it is stored. */
class ExtensionImpactTest {
    private final FleetWorld world = new FleetWorld();

    @BeforeEach
    void start() {
        FleetWorld.machineDeployment(world.tenant("t1"), "workers");
        FleetWorld.machineDeployment(world.tenant("t2"), "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));
        world.patch("t1", "prod", "{'metadata':{'labels':{'stage':'test'}}}");
        world.pass(Duration.ofSeconds(5));
    }

    private static ObjectNode extension(String namespace, String name, String policy, String path) {
        ObjectNode object = WireJson.object().put("apiVersion", ProfileExtension.API_VERSION);
        object.put("kind", ProfileExtension.KIND)
                .putObject("metadata")
                .put("namespace", namespace)
                .put("name", name);
        ObjectNode spec = object.putObject("spec").put("policy", policy);
        spec.putObject("target").putArray("operatingSystems").add("ubuntu");
        spec.putObject("provisioning")
                .putArray("files")
                .addObject()
                .put("path", path)
                .put("content", "corp\n");
        return object;
    }

    private void store(ObjectNode extension) {
        world.management.put(Resource.OPERATING_SYSTEM_PROFILE_EXTENSIONS, extension.toString(), "kubectl");
        world.pass(Duration.ofSeconds(5));
    }

    private ExtensionImpact impactOf(ObjectNode extension) {
        return world.hub().admission().impactOf(StoredExtension.of(extension));
    }

    @Test
    void aSharedExtensionReachesTheTenantsThatItSelects() {
        ObjectNode extension = extension("osm-profiles", "corp", "Enforced", "/etc/corp");

        assertThat(impactOf(extension)).isEqualTo(new ExtensionImpact(List.of(), 0, false, 2, 2));

        extension.withObject("/spec/target/tenants/matchLabels").put("stage", "test");

        assertThat(impactOf(extension)).isEqualTo(new ExtensionImpact(List.of(), 0, false, 1, 1));
    }

    @Test
    void aTenantsExtensionReachesItsOwnMachineDeployments() {
        assertThat(impactOf(extension("t1", "mine", "Default", "/etc/mine")))
                .isEqualTo(new ExtensionImpact(List.of(), 0, false, 1, 1));
    }

    @Test
    void anOptionalExtensionReachesThoseThatWereRenderedWithIt() {
        assertThat(impactOf(extension("osm-profiles", "corp", "Optional", "/etc/corp"))
                        .machineDeployments())
                .isZero();
    }

    @Test
    void anExtensionThatSelectsNoProfileOrNoTenantIsToldSo() {
        ObjectNode none = extension("osm-profiles", "corp", "Enforced", "/etc/corp");
        none.withObject("/spec/target").putArray("profiles").add("osp-nothing");

        assertThat(impactOf(none).targetsNothing()).isTrue();
        assertThat(impactOf(extension("kube-system", "corp", "Enforced", "/etc/corp"))
                        .targetsNothing())
                .isTrue();
    }

    @Test
    void aFileOfTheProfileIsAConflict() {
        assertThat(impactOf(extension("osm-profiles", "corp", "Optional", "/opt/bin/provision"))
                        .mistakes())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.reason()).isEqualTo(Reason.ExtensionConflict);
                    assertThat(problem.field()).isEqualTo("spec.provisioning.files[0]");
                    assertThat(problem.message())
                            .contains("osm-profiles/corp", "OperatingSystemProfile osm-profiles/osp-ubuntu");
                });
    }

    @Test
    void aTenantCannotWriteWhatASharedExtensionWritesForIt() {
        ObjectNode shared = extension("osm-profiles", "corp", "Enforced", "/etc/corp");
        shared.withObject("/spec/target/tenants/matchLabels").put("stage", "test");
        store(shared);

        assertThat(impactOf(extension("t1", "mine", "Default", "/etc/corp")).mistakes())
                .extracting(Problem::message)
                .singleElement()
                .asString()
                .contains("t1/mine", "osm-profiles/corp");
        assertThat(impactOf(extension("t1", "mine", "Optional", "/etc/corp")).mistakes())
                .isEmpty();
        assertThat(impactOf(extension("t2", "mine", "Default", "/etc/corp")).mistakes())
                .isEmpty();
    }

    @Test
    void aStoredConflictIsNotThatOfAnotherExtension() {
        store(extension("osm-profiles", "broken", "Enforced", "/opt/bin/provision"));

        assertThat(impactOf(extension("osm-profiles", "corp", "Enforced", "/etc/corp"))
                        .mistakes())
                .isEmpty();
        assertThat(impactOf(extension("osm-profiles", "broken", "Enforced", "/etc/corp"))
                        .mistakes())
                .isEmpty();
    }

    @Test
    void aConflictWithOneOfTwoExtensionsThatDoNotMeetIsFound() {
        store(changing("one", "aws", "Append"));
        store(changing("two", "gce", "Replace"));

        assertThat(impactOf(changing("three", "", "Append")).mistakes())
                .extracting(Problem::message)
                .singleElement()
                .asString()
                .contains("osm-profiles/three", "osm-profiles/two");
        assertThat(impactOf(changing("three", "aws", "Append")).mistakes()).isEmpty();
    }

    private static ObjectNode changing(String name, String provider, String operation) {
        ObjectNode extension = extension("osm-profiles", name, "Default", "/opt/bin/provision");
        if (!provider.isEmpty()) {
            extension.withObject("/spec/target").putArray("cloudProviders").add(provider);
        }
        ((ObjectNode) extension.at("/spec/provisioning/files/0")).put("operation", operation);
        return extension;
    }

    @Test
    void ofTenantsThatConflictWithASharedExtensionOnlyTheNumberIsKnown() {
        store(extension("t1", "mine", "Default", "/etc/corp"));
        world.profile("t2", "own", "v1.0.0", "text");
        world.pass(Duration.ofSeconds(5));

        ExtensionImpact impact = impactOf(extension("osm-profiles", "corp", "Enforced", "/etc/corp"));

        assertThat(impact.mistakes()).isEmpty();
        assertThat(impact.conflictingTenants()).isEqualTo(1);
    }

    @Test
    void aTenantsProfileCanConflictWithASharedExtension() {
        ObjectNode extension = extension("osm-profiles", "corp", "Enforced", "/opt/bin/own");
        ObjectNode profile = WireJson.object();
        profile.putObject("metadata").put("namespace", "t2").put("name", "own");
        profile.set("spec", spec("/opt/bin/own"));
        world.management.put(Resource.OPERATING_SYSTEM_PROFILES, profile.toString(), "kubectl");
        world.pass(Duration.ofSeconds(5));

        assertThat(impactOf(extension).mistakes()).isEmpty();
        assertThat(impactOf(extension).conflictingTenants()).isEqualTo(1);

        extension.withObject("/spec/target/tenants/matchLabels").put("stage", "test");

        assertThat(impactOf(extension).conflictingTenants()).isZero();
    }

    @Test
    void aProfileThatLosesAFileBreaksTheExtensionsThatChangeIt() {
        ObjectNode appended = extension("osm-profiles", "corp", "Optional", "/opt/bin/provision");
        ((ObjectNode) appended.at("/spec/provisioning/files/0")).put("operation", "Append");
        store(appended);

        assertThat(world.hub().admission().findExtensionConflicts(profile("/opt/bin/provision")))
                .isEmpty();
        assertThat(world.hub().admission().findExtensionConflicts(profile("/opt/bin/other")))
                .extracting(Problem::reason, Problem::field)
                .containsExactly(tuple(Reason.ExtensionNotApplicable, "spec.provisioning.files[0]"));
    }

    private static StoredProfile profile(String path) {
        ObjectNode object = WireJson.object();
        object.putObject("metadata").put("namespace", "osm-profiles").put("name", "osp-ubuntu");
        object.set("spec", spec(path));
        return ProposedProfileLister.read(object);
    }

    private static ObjectNode spec(String path) {
        ObjectNode spec = WireJson.object();
        spec.put("osName", "ubuntu").put("osVersion", "24.04").put("version", "v9.0.0");
        spec.set("supportedCloudProviders", WireJson.tree(List.of(Map.of("name", "aws"))));
        ObjectNode file = spec.putObject("provisioningConfig").putArray("files").addObject();
        file.put("path", path).put("permissions", 644);
        file.putObject("content").putObject("inline").put("data", "text");
        return spec;
    }
}
