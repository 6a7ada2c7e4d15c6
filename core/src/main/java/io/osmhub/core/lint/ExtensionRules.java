package io.osmhub.core.lint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.lint.ScriptChecker.Dialect;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.osp.ProfileExtension.Operation;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.AppliedExtensions.Candidates;
import io.osmhub.core.render.CompiledExtension;
import io.osmhub.core.render.CompiledExtension.Command;
import io.osmhub.core.render.CompiledExtension.Hook;
import io.osmhub.core.render.KubeletConfigRules;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.core.template.language.TemplateEngines;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rules about an extension that need no profile. Their severities and texts are in {@code lint-rules.tsv}. */
final class ExtensionRules {
    private static final String KUBELET = "spec.provisioning.kubeletConfiguration";

    private final SourceDocument document;
    private final ScriptChecker scripts;
    private final FindingCollector findings;

    ExtensionRules(SourceDocument document, ScriptChecker scripts, FindingCollector findings) {
        this.document = document;
        this.scripts = scripts;
        this.findings = findings;
    }

    static boolean isExtension(SourceDocument document) {
        return document.text("kind").equals(ProfileExtension.KIND)
                && document.text("apiVersion").equals(ProfileExtension.API_VERSION);
    }

    /** @param profiles that are searched for conflicts, without rendering */
    void run(List<OperatingSystemProfile> profiles) {
        try {
            ProfileExtension extension = ProfileExtension.read(SourceDocument.json(document.root()));
            check(CompiledExtension.compile(extension, new TemplateEngines()), profiles);
        } catch (TenantMistake e) {
            e.findings().forEach(mistake -> add("schema", mistake));
        }
    }

    private void check(CompiledExtension compiled, List<OperatingSystemProfile> profiles) {
        compiled.mistakes()
                .forEach(mistake -> findings.add(new LintFinding(
                        DryRun.violation(mistake),
                        document.positionOf(mistake),
                        mistake.field(),
                        mistake.position(),
                        null)));
        ProfileExtension.Spec spec = compiled.extension().spec();
        if (spec.language() == null) {
            compiled.contents().files().stream()
                    .filter(source -> source.text().contains("{{"))
                    .forEach(source -> add(LintRuleViolation.of("extension.literal-template"), source.field()));
        }
        compiled.changes().stream()
                .filter(change -> change.file().operation() == Operation.REPLACE
                        && change.file().baseSHA256() == null)
                .forEach(change -> add(
                        LintRuleViolation.of("extension.replace", change.file().path()), change.field()));
        checkCommands(compiled);
        checkKubelet(spec.provisioning().kubeletConfiguration());
        Candidates alone = new Candidates("", List.of(compiled));
        String provider =
                compiled.target().cloudProviders().stream().findFirst().orElse("");
        for (OperatingSystemProfile profile : profiles) {
            new RenderInput.Profile(
                            profile.namespace(), profile.name(), DownloadInventory.compile(profile.spec(), null))
                    .with(alone.selectFitting(profile.name(), profile.spec().osName(), provider))
                    .findConflicts()
                    .forEach(conflict -> add("extension.conflict", conflict));
        }
    }

    /** The commands of a hook are one script; those of a template are known only with a profile. */
    private void checkCommands(CompiledExtension compiled) {
        for (Hook hook : Hook.values()) {
            List<Command> commands = compiled.commands().stream()
                    .filter(command -> command.hook() == hook)
                    .toList();
            String script = commands.stream().map(Command::text).collect(Collectors.joining("\n"));
            boolean known = compiled.extension().spec().language() == null || !script.contains("{{");
            String errors = known ? scripts.check(Dialect.BASH, script) : "";
            if (!errors.isEmpty()) {
                Command first = commands.stream()
                        .filter(command ->
                                !scripts.check(Dialect.BASH, command.text()).isEmpty())
                        .findFirst()
                        .orElse(commands.getFirst());
                add(LintRuleViolation.of("shell-syntax", errors), first.field());
            }
        }
    }

    private void checkKubelet(@Nullable ObjectNode configuration) {
        DocumentNode node = document.find(KUBELET);
        if (configuration == null || node == null) {
            return;
        }
        configuration.fieldNames().forEachRemaining(key -> {
            if (!KubeletConfigRules.fields().contains(key)) {
                String fix = SpellingSuggestion.findClosest(key, KubeletConfigRules.fields())
                        .map(near -> "did you mean \"" + near + "\"?")
                        .orElse("correct it, or ignore this if a newer kubelet has it");
                add(LintRuleViolation.of("extension.kubelet-field", key, fix), KUBELET + "." + key);
            }
        });
        KubeletConfigRules.check(node)
                .forEach(error -> add(LintRuleViolation.of("file-content.unreadable", error.what(), ""), KUBELET));
    }

    private void add(String row, Problem problem) {
        add(LintRuleViolation.of(row, problem.cause(), problem.fix()), problem.field());
    }

    private void add(LintRuleViolation violation, String field) {
        findings.add(violation, document.positionOf(field), field, null);
    }
}
