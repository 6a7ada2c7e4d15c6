package io.osmhub.api.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.admission.AdmissionView.ExtensionImpact;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProfileExtensionRuleTest {
    private static final String REQUEST = "operatingSystemProfileExtension validation request " + Reviews.UID;
    private static final Problem CONFLICT = new Problem(
            Reason.ExtensionConflict,
            ProblemObject.of(ProfileExtension.KIND, "osm-profiles/corp-x"),
            "spec.provisioning.files[0]",
            "/etc/corp is written by OperatingSystemProfile osm-profiles/osp-ubuntu",
            "use Replace, Edit or Append");

    private static ProfileExtensionRule rule(@Nullable ExtensionImpact impact) {
        return new ProfileExtensionRule(new Reviews.FakeHub(Map.of(), List.of(), impact));
    }

    private static ObjectNode extension() {
        return Reviews.extension("osm-profiles", "hello");
    }

    @Test
    void aGoodExtensionIsAllowedWithWhatItWillChange() {
        AdmissionResponse answer =
                rule(new ExtensionImpact(List.of(), 0, false, 120, 41)).review(Reviews.create(extension()));

        assertThat(answer.allowed()).isTrue();
        assertThat(answer.message()).isEqualTo(REQUEST + " allowed");
        assertThat(answer.warnings())
                .containsExactly("applies to 120 MachineDeployments in 41 tenants; preview with hub diff -f");
    }

    @Test
    void aConflictWithWhatItsOwnerSeesIsDenied() {
        AdmissionResponse answer =
                rule(new ExtensionImpact(List.of(CONFLICT), 0, false, 0, 0)).review(Reviews.create(extension()));

        assertThat(answer.allowed()).isFalse();
        assertThat(answer.code()).isEqualTo(403);
        assertThat(answer.message()).startsWith(REQUEST + " denied: ").contains(CONFLICT.cause(), CONFLICT.fix());
    }

    @Test
    void aConflictThatItHadBeforeDoesNotBlockAnotherChange() {
        ObjectNode changed = extension();
        changed.withObject("/spec").put("order", 7);

        AdmissionResponse answer = rule(new ExtensionImpact(List.of(CONFLICT), 0, false, 0, 0))
                .review(Reviews.update(changed, extension()));

        assertThat(answer.allowed()).isTrue();
        assertThat(answer.warnings()).singleElement().asString().contains(CONFLICT.cause());
    }

    @Test
    void aConflictWithObjectsOfTenantsIsAWarningThatNamesNone() {
        AdmissionResponse answer =
                rule(new ExtensionImpact(List.of(), 1, true, 0, 0)).review(Reviews.create(extension()));

        assertThat(answer.allowed()).isTrue();
        assertThat(answer.warnings())
                .hasSize(2)
                .anySatisfy(warning -> assertThat(warning).contains("no OperatingSystemProfile fits"))
                .anySatisfy(warning -> assertThat(warning)
                        .startsWith(
                                "conflicts with profiles or extensions of 1 tenant, whose published content stays"));
    }

    @Test
    void whatTheSchemaRejectsIsDeniedWithItsField() {
        ObjectNode extension = extension();
        ((ObjectNode) extension.at("/spec/provisioning/files/0")).put("path", "/etc/../corp");

        AdmissionResponse answer = rule(null).review(Reviews.create(extension));

        assertThat(answer.allowed()).isFalse();
        assertThat(answer.message())
                .contains("OperatingSystemProfileExtension osm-profiles/corp-x", "spec.provisioning.files[0].path");
    }

    @Test
    void aTemplateThatDoesNotCompileIsDenied() {
        ObjectNode extension = Reviews.extension("osm-profiles", "one\n{{ .Broken ");
        extension.withObject("/spec").put("templateEngine", "go");

        AdmissionResponse answer = rule(null).review(Reviews.create(extension));

        assertThat(answer.allowed()).isFalse();
        assertThat(answer.message()).contains("spec.provisioning.files[0] (/etc/corp)", "2:");
    }

    @Test
    void suspiciousContentIsAWarning() {
        ObjectNode extension = Reviews.extension("t1", "-----BEGIN PRIVATE KEY-----\nS3CRET {{ .Token }}\n");
        extension.withObject("/spec/target").putArray("profiles").add("osp-ubuntu");

        AdmissionResponse answer = rule(null).review(Reviews.create(extension));

        assertThat(answer.allowed()).isTrue();
        assertThat(answer.warnings())
                .hasSize(3)
                .noneSatisfy(warning -> assertThat(warning).contains("S3CRET"))
                .anySatisfy(
                        warning -> assertThat(warning).startsWith("spec.provisioning.files[0]: contains a private key"))
                .anySatisfy(warning -> assertThat(warning).contains("set spec.templateEngine"))
                .anySatisfy(warning -> assertThat(warning).startsWith("spec.target.profiles: "));
    }

    @Test
    void aDeletionIsAllowedWithTheNumberOfItsUsers() {
        ObjectNode used = extension();
        used.withObject("/status/usedBy").put("workerClusters", 2).put("machineDeployments", 3);

        AdmissionResponse answer = rule(null).review(Reviews.of("DELETE", null, used));
        AdmissionResponse unused = rule(null).review(Reviews.of("DELETE", null, extension()));

        assertThat(answer.allowed()).isTrue();
        assertThat(answer.warnings())
                .containsExactly("new machines of 3 MachineDeployments no longer get it; running ones keep it");
        assertThat(unused.allowed()).isTrue();
        assertThat(unused.warnings()).isEmpty();
    }

    @Test
    void anObjectThatIsBeingDeletedIsAllowedWhateverItContains() {
        ObjectNode deleted =
                Reviews.json("{'metadata':{'name':'x','deletionTimestamp':'2026-01-01T00:00:00Z'},'spec':3}");

        assertThat(rule(null).review(Reviews.update(deleted, extension())).allowed())
                .isTrue();
        assertThat(rule(null).review(Reviews.of("CONNECT", null, null)).allowed())
                .isFalse();
    }
}
