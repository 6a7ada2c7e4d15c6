package io.osmhub.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ExtensionSource;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.plan.Decision.Outcome;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.AppliedExtensions;
import io.osmhub.core.render.CompiledExtension;
import io.osmhub.core.template.language.TemplateEngines;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What is decided when an extension appears, changes, goes, or cannot be read. */
class ExtensionDecisionTest {
    private static final String MD = "kube-system/workers";

    private final World world = new World(1).machineDeployment("kube-system", "workers");

    /** An extension of one file. */
    static AppliedExtensions applied(String content) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.putObject("metadata").put("namespace", "osm-profiles").put("name", "site");
        ObjectNode spec = object.putObject("spec").put("policy", "Default");
        spec.putObject("target").putArray("operatingSystems").add("ubuntu");
        spec.putObject("provisioning")
                .putArray("files")
                .addObject()
                .put("path", "/etc/site")
                .put("content", content);
        CompiledExtension compiled = CompiledExtension.compile(ProfileExtension.read(object), new TemplateEngines());
        return new AppliedExtensions("osm-profiles", List.of(compiled), List.of(), Map.of());
    }

    private static AppliedExtensions unreadable(String path) {
        Problem why = new Problem(
                Reason.ExtensionsUnreadable, ProblemObject.NONE, "", "extensions cannot be read (404)", "install it");
        return AppliedExtensions.NONE.withUnreadable(Map.of(path, why));
    }

    private void publish() {
        PublishedHashTest.publish(world);
    }

    private List<String> reasons() {
        return world.decide(MD).changes().stream()
                .map(change -> change.reason().explanation())
                .distinct()
                .toList();
    }

    @Test
    void theStatusNamesItAndTheVersionHasItsHash() {
        world.applied = applied("one");
        publish();

        OperatingSystemConfigStatus status =
                Objects.requireNonNull(world.config(MD)).status();
        OperatingSystemConfigStatus.RenderSource source =
                Objects.requireNonNull(Objects.requireNonNull(status).source());
        assertThat(source.extensions())
                .extracting(ExtensionSource::path, ExtensionSource::paths)
                .containsExactly(tuple("osm-profiles/site", List.of("/etc/site")));
        assertThat(Objects.requireNonNull(source.profile()).version()).startsWith("v1.0.0+ext.");
    }

    @Test
    void eachChangeIsExplained() {
        publish();
        world.applied = applied("one");
        assertThat(reasons()).containsExactly("OperatingSystemProfileExtension osm-profiles/site applies");

        publish();
        world.applied = applied("two");
        assertThat(reasons()).containsExactly("OperatingSystemProfileExtension osm-profiles/site was changed");

        publish();
        world.applied = AppliedExtensions.NONE;
        assertThat(reasons()).containsExactly("OperatingSystemProfileExtension osm-profiles/site no longer applies");
    }

    @Test
    void withoutAChangeNothingIsWritten() {
        world.applied = applied("one");
        publish();

        assertThat(world.decide(MD).changes()).isEmpty();
        assertThat(world.decider.decideUnchanged(world.facts(MD))).isNotNull();
    }

    @Test
    void contentWithAnExtensionStaysWhileNoneCanBeRead() {
        world.applied = applied("one");
        publish();
        world.applied = unreadable("");

        Decision decision = world.decide(MD);

        assertThat(decision.outcome()).isInstanceOf(Outcome.NotRendered.class);
        assertThat(decision.changes()).isEmpty();
        assertThat(decision.problems()).extracting(Problem::reason).containsExactly(Reason.ExtensionsUnreadable);
        assertThat(world.decider.decideUnchanged(world.facts(MD))).isNull();
        world.applied = applied("one");
        assertThat(world.decide(MD).changes()).isEmpty();
    }

    @Test
    void onlyContentWithTheUnreadableExtensionStays() {
        world.applied = applied("one");
        publish();

        world.applied = unreadable("osm-profiles/other");
        assertThat(world.decide(MD).outcome()).isInstanceOf(Outcome.Published.class);
        world.applied = unreadable("osm-profiles/site");
        assertThat(world.decide(MD).outcome()).isInstanceOf(Outcome.NotRendered.class);
    }

    /** A hub that is killed between any two writes of a change; the next one decides from what it finds. */
    @Test
    void afterACrashAtAnyWriteTheFileIsThereAndTheNextRunCompletesTheChange() {
        world.applied = applied("one");
        publish();
        String secret = SecretRole.PROVISIONING.name(ObjectNames.of(world.get(MD)));
        world.applied = applied("two");
        int writes = world.decide(MD).changes().size();
        assertThat(writes).isPositive();

        for (int crash = 0; crash <= writes; crash++) {
            World killed = world.copy(1);
            killed.decide(MD).changes().stream().limit(crash).forEach(killed::apply);

            assertThat(text(killed, secret)).as("after %s writes", crash).contains("/etc/site");
            killed.run(MD);
            assertThat(text(killed, secret)).contains("dHdv");
            assertThat(killed.decide(MD).changes()).isEmpty();
        }
    }

    private static String text(World world, String secret) {
        return String.join("", world.values.getOrDefault(secret, Map.of()).values());
    }

    @Test
    void aNewMachineDeploymentWaitsWhileAnExtensionCannotBeRead() {
        world.applied = unreadable("osm-profiles/site");
        assertThat(world.decide(MD).outcome()).isInstanceOf(Outcome.NotRendered.class);

        world.applied = unreadable("");
        assertThat(world.decide(MD).outcome()).isInstanceOf(Outcome.Published.class);
    }

    @Test
    void contentWithoutExtensionsIsRenderedWhileNoneCanBeRead() {
        publish();
        world.applied = unreadable("");
        world.profileText = "changed";

        assertThat(world.decide(MD).outcome()).isInstanceOf(Outcome.Published.class);
    }
}
