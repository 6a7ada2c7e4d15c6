package io.osmhub.core.lint;

import io.osmhub.core.lint.ContentChecks.ContentError;
import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.ProfileSource.ConfigName;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.KubeletConfigRules;
import io.osmhub.core.render.KubeletSettings;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.Renderer.RenderedConfig;
import io.osmhub.core.render.UserDataDocuments;
import io.osmhub.core.userdata.UserDataGenerator;
import io.osmhub.core.userdata.UserDataGenerator.UserDataInput;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
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

    /** By all that the result of a check depends on; instead of the text, which may be large or secret, its hash. */
    private final Map<List<String>, List<ContentError>> known = new ConcurrentHashMap<>();

    /** A mistake in a file or document; {@code stops} if no node starts with it, {@code source} is its field in the profile. */
    private record Mistake(String place, String source, boolean stops, String what, String cure) {}

    /** The mistakes of a text, from an earlier check if there is one. */
    private List<ContentError> remember(List<String> key, Supplier<List<ContentError>> check) {
        if (known.size() >= REMEMBERED) {
            known.clear();
        }
        return known.computeIfAbsent(key, unknown -> check.get().stream()
                .filter(error -> error.violation().severity() != LintSeverity.INFO
                        && !error.field().equals("coreos"))
                .toList());
    }

    /** The mistakes of a rendering. One that stops nodes is an error, others are warnings. No message contains a credential. */
    public List<Problem> check(RenderInput input, RenderedConfig rendering, RenderedConfig.Documents documents) {
        Stream<Problem> findings = withoutCredentials(input, rendering, mistakes(input, rendering, documents)).stream()
                .sorted(Comparator.comparing(Mistake::stops).reversed())
                .map(mistake -> problem(input, mistake));
        return Stream.concat(findings, KubeletSettings.findMistakes(input.machineDeployment()).stream())
                .limit(MOST)
                .toList();
    }

    private static Problem problem(RenderInput input, Mistake mistake) {
        boolean extension = mistake.source().startsWith(ProfileExtension.KIND);
        String correct = "correct " + mistake.source()
                + (extension ? "" : " of " + input.profile().describe());
        Problem problem = new Problem(
                mistake.stops() ? Reason.UserDataUnreadable : Reason.UserDataSuspect,
                input.machineDeployment().describe(),
                mistake.place(),
                mistake.what() + (mistake.stops() ? ", no node starts with it" : ""),
                mistake.cure().isEmpty() ? correct : mistake.cure() + "; " + correct);
        return extension ? problem : problem.withCommand(input.profile().editCommand());
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
                new Sensitive(""),
                rendering.composition());
        List<Mistake> shown = mistakes(input, redacted, UserDataDocuments.createUnchecked(input, redacted));
        String what = "is invalid with its credentials, the message is withheld because it may contain one";
        return shown.size() == mistakes.size()
                ? shown
                : mistakes.stream()
                        .map(mistake -> shown.contains(mistake)
                                ? mistake
                                : new Mistake(mistake.place(), mistake.source(), mistake.stops(), what, ""))
                        .toList();
    }

    /** The first mistake of each document and file, and the options that the MachineDeployment's kubelet does not know. */
    private List<Mistake> mistakes(RenderInput input, RenderedConfig rendering, RenderedConfig.Documents documents) {
        boolean ignition = rendering.revealed().provisioningUtility().equals("ignition");
        String kubelet = input.machineDeployment().kubeletVersion();
        List<Mistake> mistakes = new ArrayList<>();
        for (ConfigName name : ConfigName.values()) {
            boolean bootstrap = name == ConfigName.bootstrapConfig;
            OperatingSystemConfig.Config config = name.of(rendering.revealed());
            List<String> hashes =
                    config.files().stream().map(file -> Sha256.hex(file.data())).toList();
            if (!isKnownToBeRight(input, rendering, config, hashes, bootstrap)) {
                String document = bootstrap ? documents.bootstrap() : documents.provisioning();
                String place = bootstrap ? "bootstrap document" : "provisioning document";
                add(mistakes, kubelet, place, name.field(), documentErrors(document), ContentError::stops);
            }
            for (int i = 0; i < config.files().size(); i++) {
                File file = config.files().get(i);
                List<ContentError> errors = fileErrors(ignition, file, hashes.get(i));
                if (errors.isEmpty()) {
                    continue;
                }
                // Further files are made by the hub from settings.
                String from = rendering.fileSource(input.profile(), bootstrap, i);
                List<String> changers = rendering.changers(file.path());
                String source = changers.isEmpty()
                        ? from.isEmpty() ? file.path() : from
                        : ProfileExtension.KIND + " " + String.join(", ", changers);
                boolean needed = NEEDED.contains(file.path()) || KubeletConfigRules.appliesTo(file.data());
                add(
                        mistakes,
                        kubelet,
                        "file " + file.path(),
                        source,
                        errors,
                        error -> needed && error.stops() && error.rule() == LintRule.FILE_CONTENT);
            }
            for (SystemdUnit unit : config.units()) {
                String path = SystemdUnit.FOLDER + unit.name();
                String content = Objects.requireNonNullElse(unit.content(), "");
                add(mistakes, kubelet, "unit " + unit.name(), name.field(), options(path, content), error -> false);
                for (SystemdUnit.DropIn dropIn : unit.dropIns()) {
                    String place = "drop-in " + dropIn.name() + " of " + unit.name();
                    add(mistakes, kubelet, place, name.field(), options(path, dropIn.content()), error -> false);
                }
            }
        }
        return mistakes;
    }

    /** Adds the first error of a text, one that stops nodes if there is any, and the options, which are independent. */
    private static void add(
            List<Mistake> mistakes,
            String kubeletVersion,
            String place,
            String source,
            List<ContentError> errors,
            Predicate<ContentError> stops) {
        Stream<ContentError> first = errors.stream()
                .filter(error -> error.rule() != LintRule.REMOVED_OPTION)
                .sorted(Comparator.comparing((ContentError error) -> !stops.test(error)))
                .limit(1);
        Stream<ContentError> options = errors.stream()
                .filter(error -> error.rule() == LintRule.REMOVED_OPTION && error.appliesTo(kubeletVersion));
        Stream.concat(first, options).forEach(error -> {
            String line = error.line() == 0 ? "" : ", in line " + error.line() + " as rendered";
            String cure = error.violation().cure();
            mistakes.add(new Mistake(place, source, stops.test(error), error.message() + line, cure));
        });
    }

    private List<ContentError> fileErrors(boolean ignition, File file, String hash) {
        return remember(
                List.of("file", ignition + "", file.path(), file.encoding(), hash),
                () -> ContentChecks.check(ScriptChecker.NONE, ignition, file.path(), file.data(), file.encoding()));
    }

    private List<ContentError> options(String path, String text) {
        return remember(List.of("options", path, Sha256.hex(text)), () -> RemovedOptions.find(path, text));
    }

    private List<ContentError> documentErrors(String text) {
        return remember(List.of("document", Sha256.hex(text)), () -> ContentChecks.checkDocument(text));
    }

    /**
     * Whether the documents that have one of the files each, and the one with all but the files, are right: the whole document then is.
     * Documents of a profile differ in few files, and reading the others again would take most of a run's time.
     */
    private boolean isKnownToBeRight(
            RenderInput input,
            RenderedConfig rendering,
            OperatingSystemConfig.Config config,
            List<String> hashes,
            boolean bootstrap) {
        OperatingSystemConfig.Spec spec = rendering.revealed();
        OperatingSystemConfig.Config others =
                new OperatingSystemConfig.Config(config.units(), List.of(), config.userSshKeys(), config.modules());
        return !spec.provisioningUtility().equals("ignition")
                && IntStream.range(0, hashes.size())
                        .allMatch(i -> isRightInDocument(
                                spec.provisioningUtility(), config.files().get(i), hashes.get(i)))
                && documentErrors(UserDataGenerator.generateDocument(new UserDataInput(
                                others,
                                spec.provisioningUtility(),
                                spec.osName(),
                                spec.cloudProvider(),
                                input.machineDeployment().name(),
                                rendering.provider().distUpgradeOnBoot(input.machineDeployment()),
                                bootstrap)))
                        .isEmpty();
    }

    /** Whether the document that has only this file is right; the text of a file depends on nothing else. */
    private boolean isRightInDocument(String utility, File file, String hash) {
        List<String> key = List.of(
                "document of a file",
                utility,
                file.path(),
                Integer.toString(file.permissions()),
                file.encoding(),
                hash);
        OperatingSystemConfig.Config only = new OperatingSystemConfig.Config(List.of(), List.of(file), List.of(), null);
        return remember(
                        key,
                        () -> ContentChecks.checkDocument(UserDataGenerator.generateDocument(
                                new UserDataInput(only, utility, "", "", "", false, false))))
                .isEmpty();
    }
}
