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

/**
 * Checks what one MachineDeployment gets as its machines read it: both documents, their files, and its kubelet settings. Remembers
 * results by content, because every run renders and few change anything. Thread-safe.
 */
public final class NodeContentCheck {
    private static final int REMEMBERED = 20_000;
    private static final int MOST = 20;

    /** Without these no node joins. */
    private static final Set<String> NEEDED =
            Set.of("/etc/containerd/config.toml", "/etc/kubernetes/bootstrap-kubelet.conf");

    private final Map<String, List<ProblemFinding>> known = new ConcurrentHashMap<>();

    /** A mistake in a file or document; {@code stops} if no node starts with it, {@code source} is its field in the profile. */
    private record Mistake(String place, String source, boolean stops, String what, String cure) {}

    /**
     * The mistakes of a rendering, from an earlier check of equal content if there is one.
     *
     * @param digests of both documents
     */
    public List<ProblemFinding> check(
            RenderInput input, RenderedConfig rendering, RenderedConfig.Documents documents, String digests) {
        if (known.size() >= REMEMBERED) {
            known.clear();
        }
        String key = String.join(
                " ",
                input.tenantNamespace(),
                input.machineDeployment().describe(),
                // Decides which options the kubelet knows.
                input.machineDeployment().kubeletVersion(),
                input.machineDeployment().annotations().toString(),
                input.machineDeployment().templateAnnotations().toString(),
                input.profile().describe(),
                digests);
        return known.computeIfAbsent(Sha256.hex(key), hash -> check(input, rendering, documents));
    }

    /** The mistakes of a rendering. One that stops nodes is an error, others are warnings. No message contains a credential. */
    public static List<ProblemFinding> check(
            RenderInput input, RenderedConfig rendering, RenderedConfig.Documents documents) {
        List<ProblemFinding> findings = new ArrayList<>();
        for (Mistake mistake : withoutCredentials(input, rendering, mistakes(input, rendering, documents))) {
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
    private static List<Mistake> withoutCredentials(
            RenderInput input, RenderedConfig rendering, List<Mistake> mistakes) {
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
        List<Mistake> shown = mistakes(input, redacted, UserDataDocuments.createUnchecked(input, redacted));
        String what = "is invalid with its credentials, the message is withheld because it may contain one";
        return shown.size() == mistakes.size()
                ? shown
                : mistakes.stream()
                        .map(mistake -> new Mistake(mistake.place(), mistake.source(), mistake.stops(), what, ""))
                        .toList();
    }

    /** The first mistake of each document and file, those that stop nodes first. */
    private static List<Mistake> mistakes(
            RenderInput input, RenderedConfig rendering, RenderedConfig.Documents documents) {
        CompiledProfile profile = input.profile().compiled();
        boolean ignition = rendering.revealed().provisioningUtility().equals("ignition");
        ContentChecks checks = new ContentChecks(ScriptChecker.NONE, new FindingCollector(), ignition);
        List<Mistake> mistakes = new ArrayList<>();
        document("bootstrap", documents.bootstrap(), mistakes);
        files(
                checks,
                profile.bootstrap(),
                rendering.revealed().bootstrapConfig().files(),
                mistakes);
        document("provisioning", documents.provisioning(), mistakes);
        files(
                checks,
                profile.provisioning(),
                rendering.revealed().provisioningConfig().files(),
                mistakes);
        String version = input.machineDeployment().kubeletVersion();
        removedOptions(version, "bootstrap", rendering.revealed().bootstrapConfig(), mistakes);
        removedOptions(version, "provisioning", rendering.revealed().provisioningConfig(), mistakes);
        mistakes.sort(Comparator.comparing(Mistake::stops).reversed());
        return mistakes;
    }

    /** Options that the MachineDeployment's kubelet does not know. Where they are used is not certain, so they are warnings. */
    private static void removedOptions(
            String version, String name, OperatingSystemConfig.Config config, List<Mistake> mistakes) {
        String source = "spec." + name + "Config";
        for (File file : config.files()) {
            removedOptions(version, "file " + file.path(), source, file.path(), file.data(), mistakes);
        }
        for (SystemdUnit unit : config.units()) {
            String path = SystemdUnit.FOLDER + unit.name();
            String content = unit.content() == null ? "" : unit.content();
            removedOptions(version, "unit " + unit.name(), source, path, content, mistakes);
            for (SystemdUnit.DropIn dropIn : unit.dropIns()) {
                String place = "drop-in " + dropIn.name() + " of " + unit.name();
                removedOptions(version, place, source, path, dropIn.content(), mistakes);
            }
        }
    }

    private static void removedOptions(
            String version, String place, String source, String path, String text, List<Mistake> mistakes) {
        for (RemovedOptions.Use use : RemovedOptions.find(path, text)) {
            if (use.option().isGoneIn(version)) {
                String what = use.option().what() + place(use.line());
                mistakes.add(
                        new Mistake(place, source, false, what, use.option().cure()));
            }
        }
    }

    private static void files(
            ContentChecks checks, CompiledProfile.Part part, List<File> files, List<Mistake> mistakes) {
        for (int i = 0; i < files.size(); i++) {
            File file = files.get(i);
            // Further files are made by the hub from settings.
            String field = i < part.files().size() ? part.files().get(i).field() : file.path();
            checks.findErrors(file.path(), file.data(), file.encoding()).stream()
                    .filter(error -> error.severity() != LintSeverity.INFO)
                    .map(error -> new Mistake(
                            "file " + file.path(),
                            field.replaceFirst(" \\(.*", ""),
                            stops(file, error),
                            error.what() + place(error.line()),
                            error.cure()))
                    .max(Comparator.comparing(Mistake::stops))
                    .ifPresent(mistakes::add);
        }
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

    private static void document(String name, String text, List<Mistake> mistakes) {
        String place = name + " document";
        String source = "spec." + name + "Config";
        if (!CloudConfigValidator.isCloudConfig(text)) {
            // It accepts a mode that is another one than meant. Whether a unit matters to a node is not known.
            IgnitionConfigValidator.check(text).stream()
                    .map(error -> new Mistake(
                            place,
                            source,
                            !error.path().startsWith("systemd.units[")
                                    && !error.what().startsWith("Ignition reads"),
                            error.path() + ": " + error.what(),
                            error.cure()))
                    .max(Comparator.comparing(Mistake::stops))
                    .ifPresent(mistakes::add);
            return;
        }
        try {
            CloudConfigValidator.check(text).stream()
                    .filter(error -> error.severity() != LintSeverity.INFO
                            && !error.path().equals("coreos"))
                    .map(error ->
                            new Mistake(place, source, stops(error), error.path() + ": " + error.what(), error.cure()))
                    .max(Comparator.comparing(Mistake::stops))
                    .ifPresent(mistakes::add);
        } catch (TenantMistake e) {
            ProblemFinding error = e.findings().getFirst();
            String what = "no YAML: " + YamlDocumentReader.withoutPrefix(error.what());
            mistakes.add(new Mistake(place, source, isCertain(error.what()), what + place(error.line()), ""));
        }
    }

    /** Errors with which cloud-init writes no file. A node may start without its commands, so they are warnings. */
    private static boolean stops(CloudConfigError error) {
        return error.severity() == LintSeverity.ERROR
                && (error.path().isEmpty() && !error.what().equals(UnitSyntaxParser.MORE)
                        || error.path().matches("write_files(\\[\\d+](\\.content)?)?"));
    }
}
