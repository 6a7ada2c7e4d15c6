package io.osmhub.tenancy.catalog;

import static io.osmhub.tenancy.catalog.ProfileObjects.aProfile;
import static io.osmhub.tenancy.catalog.ProfileObjects.installed;
import static io.osmhub.tenancy.catalog.ProfileObjects.naming;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.Command;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.tenancy.catalog.ProfileObjects.Shelf;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ExtensionAccess;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProfileAccess;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TenantProfileCatalogTest {
    private final Shelf shelf = new Shelf();
    private final CompiledProfileCache compiler = ProfileObjects.compiler();
    private ProfileAccess rights = ProfileAccess.own("t1");
    private final TenantProfileCatalog profiles =
            new TenantProfileCatalog(shelf, compiler, "shared", () -> rights, ExtensionAccess.NONE);

    @Test
    void theTenantsOwnProfileComesFirst() {
        shelf.with(aProfile("t1", "osp", "v1.0.0", "own")).with(aProfile("shared", "osp", "v1.0.0", "shared"));

        assertThat(found(naming("osp", null)).namespace()).isEqualTo("t1");
    }

    @Test
    void thenTheSharedOne() {
        shelf.with(aProfile("shared", "osp", "v1.0.0", "shared"));

        assertThat(found(naming("osp", null)).namespace()).isEqualTo("shared");
    }

    @Test
    void namingTheOwnOrTheSharedNamespaceNeedsNoGrant() {
        shelf.with(aProfile("t1", "osp", "v1.0.0", "own")).with(aProfile("shared", "osp", "v1.0.0", "shared"));

        assertThat(found(naming("osp", "t1")).namespace()).isEqualTo("t1");
        assertThat(found(naming("osp", "shared")).namespace()).isEqualTo("shared");
    }

    @Test
    void aNamedNamespaceIsTheOnlyOneLookedInto() {
        shelf.with(aProfile("shared", "osp", "v1.0.0", "shared"));

        Problem finding = refused(naming("osp", "t1"));

        assertThat(finding.reason()).isEqualTo(Reason.ProfileNotFound);
        assertThat(finding.cause()).isEqualTo("no OperatingSystemProfile osp in t1");
    }

    @Test
    void anotherNamespaceNeedsTheGrantAndTheOffer() {
        shelf.with(aProfile("extra", "osp", "v1.0.0", "extra"));
        MachineDeployment naming = naming("osp", "extra");

        assertThat(refused(naming).toString())
                .isEqualTo("MachineDeployment kube-system/md, annotation k8c.io/operating-system-profile-namespace:"
                        + " namespace extra is not granted to this tenant; add it to spec.profiles.namespaces of the"
                        + " WorkerCluster, or remove the annotation");
        shelf.offered.add("extra");
        assertThat(refused(naming).cause()).isEqualTo("namespace extra is not granted to this tenant");
        shelf.offered.remove("extra");
        rights = new ProfileAccess("t1", Set.of("extra"), true);
        assertThat(refused(naming).cause()).isEqualTo("namespace extra is not offered to this tenant");
        shelf.offered.add("extra");
        assertThat(found(naming).namespace()).isEqualTo("extra");
    }

    @Test
    void aGrantAloneDoesNotAddToTheUsualPlaces() {
        shelf.with(aProfile("extra", "osp", "v1.0.0", "extra")).offered.add("extra");
        rights = new ProfileAccess("t1", Set.of("extra"), true);

        assertThat(refused(naming("osp", null)).reason()).isEqualTo(Reason.ProfileNotFound);
    }

    @Test
    void aTenantThatWantsNoDefaultProfilesSeesNone() {
        shelf.with(installed(aProfile("shared", "osp-ubuntu", "v1.0.0", "default")))
                .with(aProfile("shared", "osp-own", "v1.0.0", "put there by an operator"))
                .with(installed(aProfile("t1", "osp-flatcar", "v1.0.0", "default, and in its own namespace")));
        rights = new ProfileAccess("t1", Set.of(), false);

        assertThat(refused(naming("osp-ubuntu", null)).reason()).isEqualTo(Reason.ProfileNotFound);
        assertThat(found(naming("osp-own", null)).namespace()).isEqualTo("shared");
        assertThat(found(naming("osp-flatcar", null)).namespace()).isEqualTo("t1");
    }

    @Test
    void aSlipOfThePenIsMetWithASuggestion() {
        shelf.with(aProfile("shared", "osp-ubuntu", "v1.0.0", "x"));

        assertThat(refused(naming("osp-ubunut", null)).inTenant("t1", "prod").message())
                .endsWith(
                        "no OperatingSystemProfile osp-ubunut in t1 or shared; did you mean \"osp-ubuntu\"? Set it: in worker"
                                + " cluster prod: kubectl -n kube-system annotate --overwrite machinedeployment md"
                                + " k8c.io/operating-system-profile=osp-ubuntu");
    }

    @Test
    void equalContentsOfManyNamespacesAreCompiledOnce() {
        for (int i = 0; i < 100; i++) {
            shelf.with(aProfile("t" + i, "osp", "v1.0.0", "same"));
        }
        TenantProfileCatalog other = new TenantProfileCatalog(
                shelf, compiler, "shared", () -> ProfileAccess.own("t7"), ExtensionAccess.NONE);

        assertThat(found(naming("osp", null)).compiled())
                .isSameAs(Objects.requireNonNull(other.find(naming("osp", null)).value())
                        .compiled());
    }

    @Test
    void aProfileThatCannotBeReadSaysWhy() {
        var odd = aProfile("t1", "osp", "v1.0.0", "x");
        odd.withObject("/spec").put("bootstrapConfig", 7);
        shelf.with(odd);

        assertThat(refused(naming("osp", null)).toString())
                .isEqualTo("OperatingSystemProfile t1/osp, spec.bootstrapConfig: must be an object, not a number");
    }

    @Test
    void changesConcernThoseWhoMayLookThere() {
        rights = new ProfileAccess("t1", Set.of("extra"), true);

        assertThat(profiles.readsFrom("t1")).isTrue();
        assertThat(profiles.readsFrom("shared")).isTrue();
        assertThat(profiles.readsFrom("extra")).isTrue();
        assertThat(profiles.readsFrom("t2")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "t2",
                "T2",
                " t2",
                "t2 ",
                "t2/",
                "/t2",
                "./t2",
                "../t2",
                "t1/../t2",
                "t2/osp",
                "t2,t1",
                "t2;t1",
                "t1,t2",
                "*",
                "%74%32",
                "t2\u0000",
                "t2\n",
                "\u202Et2",
                "t2\u200B",
                "default",
                "kube-system",
                "osm-hub",
                "t2#",
                "t2?x=y",
                "{{t2}}",
                "${t2}",
                "null",
                "\"t2\"",
                "t1\" || \"t2",
                "𝐭2"
            })
    void noTextOfTheNamespaceAnnotationReachesAnotherTenantsProfile(String named) {
        // The other tenant shares its profiles with granted tenants.
        shelf.with(aProfile("t2", "osp-secret-project", "v1.0.0", "theirs"))
                .offered
                .add("t2");

        Problem finding = refused(naming("osp-secret-project", named));

        assertThat(finding.reason()).isEqualTo(Reason.ProfileNamespaceNotGranted);
        assertThat(finding.inTenant("t1", "").message()).doesNotContain("\n", "\u0000", "\u202E");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "osp-secret-project",
                "t2/osp-secret-project",
                "../t2/osp-secret-project",
                "t2.osp-secret-project",
                "osp-secret-projec",
                "OSP-SECRET-PROJECT",
                "*",
                "osp*",
                "t2/osp*",
                "osp-secret-project\u0000",
                "../../t2/operatingsystemprofiles/osp-secret-project",
                "%2e%2e/t2/osp-secret-project",
                "osp-secret-project?",
                ""
            })
    void noTextOfTheNameAnnotationReachesOrRevealsAnotherTenantsProfile(String name) {
        shelf.with(aProfile("t2", "osp-secret-project", "v1.0.0", "theirs"))
                .offered
                .add("t2");

        Problem finding = refused(naming(name, null));

        assertThat(finding.reason()).isEqualTo(Reason.ProfileNotFound);
        assertThat(finding.fix()).isEqualTo("set an existing profile");
        assertThat(finding.command())
                .isEqualTo(Command.management("kubectl -n {} get operatingsystemprofiles", "shared"));
    }

    private RenderInput.Profile found(MachineDeployment machineDeployment) {
        return Objects.requireNonNull(profiles.find(machineDeployment).value());
    }

    private Problem refused(MachineDeployment machineDeployment) {
        return profiles.find(machineDeployment).findings().getFirst();
    }
}
