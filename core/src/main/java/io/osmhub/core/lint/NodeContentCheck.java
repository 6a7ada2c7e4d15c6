package io.osmhub.core.lint;

import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.lint.CloudConfigValidator.CloudConfigError;
import io.osmhub.core.lint.ContentChecks.ContentError;
import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.UnitChecks.UnitSyntaxParser;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.KubeletConfigRules;
import io.osmhub.core.render.KubeletSettings;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.Renderer.RenderedConfig;
import io.osmhub.core.render.UserDataDocuments;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Checks what one MachineDeployment gets as its machines read it: both documents, their files, and its kubelet settings. Remembers
 * the result of each text, because every run renders and most texts are those of the last run or of another MachineDeployment.
 * Thread-safe.
 */
public final class NodeContentCheck {
    private static final int REMEMBERED = 20_000;
    private static final int MOST = 20;

    /** Without these no node joins. */
    private static final Set<String> NEEDED =
            Set.of("/etc/containerd/config.toml", "/etc/kubernetes/bootstrap-kubelet.conf");

    private final Map<CheckedText, List<Mistake>> known = new ConcurrentHashMap<>();

    /** A mistake in a file or document; {@code stops} if no node starts with it, {@code source} is its field in the profile. */
    private record Mistake(String place, String source, boolean stops, String what, String cure) {
        Mistake in(String field) {
            return new Mistake(place, field, stops, what, cure);
        }
    }

    /** All that the result of a check depends on; {@code hash} is that of the text, which may be large or secret. */
    private record CheckedText(String check, String path, String encoding, String hash) {}

    /** The mistakes of a text without their source, from an earlier check if there is one. */
    private List<Mistake> remember(CheckedText text, Supplier<List<Mistake>> mistakes) {
        if (known.size() >= REMEMBERED) {
            known.clear();
        }
        return known.computeIfAbsent(text, key -> List.copyOf(mistakes.get()));
    }

    /** The mistakes of a rendering. One that stops nodes is an error, others are warnings. No message contains a credential. */
    public List<ProblemFinding> check(RenderInput input, RenderedConfig rendering, RenderedConfig.Documents documents) {
        List<ProblemFinding> findings = new ArrayList<>();
        // They quote no content.
        List<Mistake> options = new ArrayList<>();
        List<Mistake> mistakes =
                new ArrayList<>(withoutCredentials(input, rendering, mistakes(input, rendering, documents, options)));
        mistakes.addAll(options);
        mistakes.sort(Comparator.comparing(Mistake::stops).reversed());
        for (Mistake mistake : mistakes) {
            String correct =
                    "correct " + mistake.source() + " of " + input.profile().describe();
            findings.add(new ProblemFinding(
                    mistake.stops() ? "UserDataUnreadable" : "UserDataSuspect",
                    input.machineDeployment().describe(),
                    mistake.place(),
                    mistake.what() + (mistake.stops() ? ", no node starts with it" : ""),
                    mistake.cure().isEmpty() ? correct : mistake.cure() + "; " + correct));
        }
        findings.addAll(KubeletSettings.findMistakes(input.machineDeployment()));
        return findings.stream().limit(MOST).toList();
    }

    /** A message may quote the content, so it is taken from the content with placeholders. */
    private List<Mistake> withoutCredentials(RenderInput input, RenderedConfig rendering, List<Mistake> mistakes) {
        if (mistakes.isEmpty() || rendering.revealed().equals(rendering.stored().spec())) {
            return mistakes;
        }
        RenderedConfig redacted = new RenderedConfig(
                rendering.names(),
                rendering.stamps(),
                rendering.provider(),
                rendering.stored(),
                rendering.stored().spec(),
                new Sensitive(""));
        List<Mistake> shown =
                mistakes(input, redacted, UserDataDocuments.createUnchecked(input, redacted), new ArrayList<>());
        String what = "is invalid with its credentials, the message is withheld because it may contain one";
        return shown.size() == mistakes.size()
                ? shown
                : mistakes.stream()
                        .map(mistake -> new Mistake(mistake.place(), mistake.source(), mistake.stops(), what, ""))
                        .toList();
    }

    /**
     * The first mistake of each document and file.
     *
     * @param options gets those about options that the MachineDeployment's kubelet does not know. Where they are used is not certain,
     *     so they are warnings
     */
    private List<Mistake> mistakes(
            RenderInput input, RenderedConfig rendering, RenderedConfig.Documents documents, List<Mistake> options) {
        CompiledProfile profile = input.profile().compiled();
        OperatingSystemConfig.Spec spec = rendering.revealed();
        boolean ignition = spec.provisioningUtility().equals("ignition");
        String version = input.machineDeployment().kubeletVersion();
        List<Mistake> mistakes = new ArrayList<>();
        document("bootstrap", documents.bootstrap(), mistakes);
        config("bootstrap", ignition, version, profile.bootstrap(), spec.bootstrapConfig(), mistakes, options);
        document("provisioning", documents.provisioning(), mistakes);
        config("provisioning", ignition, version, profile.provisioning(), spec.provisioningConfig(), mistakes, options);
        return mistakes;
    }

    private void config(
            String name,
            boolean ignition,
            String version,
            CompiledProfile.Part part,
            OperatingSystemConfig.Config config,
            List<Mistake> mistakes,
            List<Mistake> options) {
        String source = "spec." + name + "Config";
        for (int i = 0; i < config.files().size(); i++) {
            File file = config.files().get(i);
            // Further files are made by the hub from settings.
            String field = i < part.files().size() ? part.files().get(i).field() : file.path();
            String hash = Sha256.hex(file.data());
            remember(
                            new CheckedText(
                                    ignition ? "Ignition file" : "cloud-init file", file.path(), file.encoding(), hash),
                            () -> mistakes(ignition, file))
                    .forEach(mistake -> mistakes.add(mistake.in(field.replaceFirst(" \\(.*", ""))));
            removedOptions(version, "file " + file.path(), source, file.path(), file.data(), hash, options);
        }
        for (SystemdUnit unit : config.units()) {
            String path = SystemdUnit.FOLDER + unit.name();
            String content = unit.content() == null ? "" : unit.content();
            removedOptions(version, "unit " + unit.name(), source, path, content, Sha256.hex(content), options);
            for (SystemdUnit.DropIn dropIn : unit.dropIns()) {
                String place = "drop-in " + dropIn.name() + " of " + unit.name();
                String text = dropIn.content();
                removedOptions(version, place, source, path, text, Sha256.hex(text), options);
            }
        }
    }

    private void removedOptions(
            String version, String place, String source, String path, String text, String hash, List<Mistake> options) {
        CheckedText checked = new CheckedText("options of kubelet " + version + " in " + place, path, "", hash);
        remember(checked, () -> RemovedOptions.find(path, text).stream()
                        .filter(use -> use.option().isGoneIn(version))
                        .map(use -> new Mistake(
                                place,
                                "",
                                false,
                                use.option().what() + place(use.line()),
                                use.option().cure()))
                        .toList())
                .forEach(mistake -> options.add(mistake.in(source)));
    }

    private static List<Mistake> mistakes(boolean ignition, File file) {
        return first(new ContentChecks(ScriptChecker.NONE, new FindingCollector(), ignition)
                .findErrors(file.path(), file.data(), file.encoding()).stream()
                        .filter(error -> error.severity() != LintSeverity.INFO)
                        .map(error -> new Mistake(
                                "file " + file.path(),
                                "",
                                stops(file, error),
                                error.what() + place(error.line()),
                                error.cure())));
    }

    /** One that stops nodes if there is any. */
    private static List<Mistake> first(Stream<Mistake> mistakes) {
        return mistakes.max(Comparator.comparing(Mistake::stops)).stream().toList();
    }

    private static String place(int line) {
        return line == 0 ? "" : ", in line " + line + " as rendered";
    }

    private static boolean stops(File file, ContentError error) {
        return error.rule() == LintRule.FILE_CONTENT
                && error.severity() == LintSeverity.ERROR
                && isCertain(error.what())
                && (NEEDED.contains(file.path()) || KubeletConfigRules.appliesTo(file.data()));
    }

    /** Other readers accept a repeated key, and what is too complex to be checked may be right. */
    private static boolean isCertain(String what) {
        return !what.endsWith(YamlDocumentReader.DUPLICATE_KEY) && !YamlDocumentReader.isLimit(what);
    }

    private void document(String name, String text, List<Mistake> mistakes) {
        if (isKnownToBeRight(text)) {
            return;
        }
        String place = name + " document";
        remember(new CheckedText(place, "", "", Sha256.hex(text)), () -> mistakes(place, text))
                .forEach(mistake -> mistakes.add(mistake.in("spec." + name + "Config")));
    }

    /** Documents of a profile differ in few parts, and reading the others again would take most of a run's time. */
    private boolean isKnownToBeRight(String text) {
        List<String> parts = CloudConfigValidator.split(text);
        return !parts.isEmpty()
                && parts.stream().allMatch(part -> remember(
                                new CheckedText("part of a document", "", "", Sha256.hex(part)),
                                () -> mistakes("", part))
                        .isEmpty());
    }

    private static List<Mistake> mistakes(String place, String text) {
        if (!CloudConfigValidator.isCloudConfig(text)) {
            // It accepts a mode that is another one than meant. Whether a unit matters to a node is not known.
            return first(IgnitionConfigValidator.check(text).stream()
                    .map(error -> new Mistake(
                            place,
                            "",
                            !error.path().startsWith("systemd.units[")
                                    && !error.what().startsWith("Ignition reads"),
                            error.path() + ": " + error.what(),
                            error.cure())));
        }
        try {
            return first(CloudConfigValidator.check(text).stream()
                    .filter(error -> error.severity() != LintSeverity.INFO
                            && !error.path().equals("coreos"))
                    .map(error ->
                            new Mistake(place, "", stops(error), error.path() + ": " + error.what(), error.cure())));
        } catch (TenantMistake e) {
            ProblemFinding error = e.findings().getFirst();
            String what = "no YAML: " + YamlDocumentReader.withoutPrefix(error.what());
            return List.of(new Mistake(place, "", isCertain(error.what()), what + place(error.line()), ""));
        }
    }

    /** Errors with which cloud-init writes no file. A node may start without its commands, so they are warnings. */
    private static boolean stops(CloudConfigError error) {
        return error.severity() == LintSeverity.ERROR
                && (error.path().isEmpty() && !error.what().equals(UnitSyntaxParser.MORE)
                        || error.path().matches("write_files(\\[\\d+](\\.content)?)?"));
    }
}
