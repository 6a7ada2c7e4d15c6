package io.osmhub.core.lint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.document.SourcePosition;
import io.osmhub.core.lint.ContentChecks.ContentFormat;
import io.osmhub.core.lint.LintFinding.Evidence;
import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.MatrixFilter.MatrixCombination;
import io.osmhub.core.lint.ProfileSourceMap.ConfigName;
import io.osmhub.core.lint.ProfileSourceMap.SourceFile;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.Renderer.RenderedConfig;
import io.osmhub.core.userdata.UserDataGenerator;
import io.osmhub.core.userdata.UserDataGenerator.UserDataInput;
import io.osmhub.core.userdata.UserDataSize;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds the user-data documents of each combination and checks their validity and size. */
final class DocumentChecks {
    /** Percentage of the limit; above it, names or certificates longer than in the example may exceed the limit. */
    private static final int FULL_PERCENT = 90;

    /** They report the same as the conversion, with a better location. */
    private static final Set<LintRule> EARLIER = EnumSet.of(
            LintRule.FILE_PATH,
            LintRule.DUPLICATE_PATH,
            LintRule.FILE_PERMISSIONS,
            LintRule.FILE_ENCODING,
            LintRule.UNIT_NAME,
            LintRule.UNIT_SYNTAX,
            LintRule.UNIT_INSTALL);

    /** A size limit of a document, before or after compression; each limit has one name and one size. */
    private record Limit(ConfigName config, String taker, int bytes, boolean compressed) {}

    /** The largest document so far. */
    private record Largest(int bytes, String file, MatrixCombination point, int tooLarge) {}

    private final ProfileSourceMap source;
    private final FindingCollector findings;
    private final Map<Limit, Largest> sizes = new LinkedHashMap<>();
    private final Set<String> read = new HashSet<>();

    /** Whether a combination fetches the provisioning document; null before the first. */
    private @Nullable Boolean fetched;

    DocumentChecks(ProfileSourceMap source, FindingCollector findings) {
        this.source = source;
        this.findings = findings;
    }

    /** @param complete whether no file of the bootstrap configuration was left out */
    void check(MatrixCombination point, RenderedConfig rendering, boolean complete) {
        OperatingSystemConfig.Spec spec = rendering.revealed();
        if (complete) {
            String secret = rendering.names().provisioningSecret();
            boolean fetches = spec.bootstrapConfig().files().stream()
                    .anyMatch(file -> file.data().contains(secret));
            fetched = fetches || Boolean.TRUE.equals(fetched);
        }
        check(point, ConfigName.provisioningConfig, spec, spec.provisioningConfig());
        check(point, ConfigName.bootstrapConfig, spec, spec.bootstrapConfig());
    }

    private void check(
            MatrixCombination point,
            ConfigName name,
            OperatingSystemConfig.Spec spec,
            OperatingSystemConfig.Config config) {
        UserDataInput input = new UserDataInput(
                config,
                spec.provisioningUtility(),
                spec.osName(),
                spec.cloudProvider(),
                "workers",
                point.situation().full(),
                name == ConfigName.bootstrapConfig);
        String document;
        try {
            document = UserDataGenerator.generateDocument(input);
        } catch (TenantMistake e) {
            e.findings().forEach(finding -> refused(point, name, finding));
            return;
        }
        // The documents of other combinations differ only in quoted file content.
        if (read.add(name + point.situation().label())) {
            if (CloudConfigValidator.isCloudConfig(document)) {
                cloudConfig(point, name, document);
            } else {
                ignition(point, name, document);
            }
        }
        int bytes = document.getBytes(UTF_8).length;
        measure(point, new Limit(name, "a Secret", UserDataSize.SECRET_BYTES, false), bytes, config);
        if (name == ConfigName.bootstrapConfig && UserDataSize.limit(point.cloudProvider(), null) != null) {
            UserDataSize size = UserDataSize.of(input, document, new Sensitive(""), null);
            UserDataSize.Limit limit = Objects.requireNonNull(size.limit());
            boolean compressed = size.uncompressedBytes() != null;
            measure(point, new Limit(name, limit.source(), limit.bytes(), compressed), size.bytes(), config);
        }
    }

    private void cloudConfig(MatrixCombination point, ConfigName name, String document) {
        for (ContentFormat.FormatError fault : ContentFormat.YAML.check(document)) {
            add(
                    point,
                    fault.severity(),
                    source.positionOf(name.field()),
                    name.field(),
                    (fault.severity() == LintSeverity.ERROR ? "the document is not valid YAML: " : "of the document, ")
                            + fault.message());
            return;
        }
        for (CloudConfigValidator.CloudConfigError fault : CloudConfigValidator.check(document)) {
            cloudConfig(point, name, fault);
        }
    }

    private void cloudConfig(MatrixCombination point, ConfigName name, CloudConfigValidator.CloudConfigError fault) {
        // Units for operating systems other than Flatcar have their own rule.
        if (fault.path().equals("coreos")) {
            return;
        }
        String module = name.field() + ".modules." + fault.path();
        Part part;
        if (fault.path().startsWith("write_files[")) {
            part = part(name, name.field() + "." + fault.path().substring("write_".length()));
        } else {
            String field = source.containsField(module) ? module : name.field();
            part = new Part(field, field, "");
        }
        if (!findings.hasBelow(part.base(), EARLIER)) {
            String what = part.base().equals(module) ? fault.what() : fault.path() + ": " + fault.what();
            findings.add(new LintFinding(
                    fault.severity(),
                    LintRule.USER_DATA,
                    source.positionOf(part.base()),
                    part.label(),
                    SourcePosition.NONE,
                    what,
                    fault.cure(),
                    Evidence.of(point.label())));
        }
    }

    private void ignition(MatrixCombination point, ConfigName name, String document) {
        for (IgnitionConfigValidator.IgnitionConfigError fault : IgnitionConfigValidator.check(document)) {
            String base = name.field() + ".units";
            boolean known = fault.path().startsWith("systemd.units") && findings.hasBelow(base, EARLIER)
                    || fault.path().startsWith("storage.files")
                            && findings.hasBelow(name.field() + ".files", Set.of(LintRule.FILE_PERMISSIONS));
            if (!known) {
                add(
                        point,
                        LintSeverity.ERROR,
                        source.positionOf(name.field()),
                        name.field(),
                        fault.path() + ": " + fault.what());
            }
        }
    }

    private void refused(MatrixCombination point, ConfigName name, ProblemFinding finding) {
        Part part = part(name, finding.field());
        if (!findings.hasBelow(part.base(), EARLIER)) {
            SourcePosition position =
                    part.content().isEmpty() ? source.positionOf(part.base()) : source.positionIn(part.content(), 1, 1);
            String what = finding.what();
            int place = what.indexOf(" of its Container Linux Config)");
            // The location in OSM's intermediate text does not help users of the profile.
            what = place < 0 ? what : what.substring(0, what.lastIndexOf(" (", place));
            findings.add(new LintFinding(
                    LintSeverity.ERROR,
                    LintRule.USER_DATA,
                    position,
                    part.label(),
                    SourcePosition.NONE,
                    what,
                    finding.cure(),
                    Evidence.of(point.label())));
        }
    }

    /**
     * The part of the profile that a finding about the OSC refers to.
     *
     * @param content the field of its text; empty if the finding is not about its content
     */
    private record Part(String base, String label, String content) {}

    private Part part(ConfigName name, String field) {
        String files = name.field() + ".files[";
        int end = field.indexOf(']');
        boolean content = field.contains("].content");
        if (field.startsWith(files) && end > 0) {
            int index = Integer.parseInt(field.substring(files.length(), end));
            List<SourceFile> known = source.files(name);
            if (index < known.size()) {
                SourceFile file = known.get(index);
                return new Part(file.field(), file.label(), content ? file.textField() : "");
            }
        }
        if (end > 0) {
            String base = field.substring(0, end + 1);
            return new Part(base, field, content && source.containsField(base + ".content") ? base + ".content" : "");
        }
        return new Part(name.field(), field, "");
    }

    private void add(
            MatrixCombination point, LintSeverity severity, SourcePosition position, String field, String what) {
        findings.add(new LintFinding(
                severity,
                LintRule.USER_DATA,
                position,
                field,
                SourcePosition.NONE,
                what,
                "",
                Evidence.of(point.label())));
    }

    private void measure(MatrixCombination point, Limit limit, int bytes, OperatingSystemConfig.Config config) {
        Largest before = sizes.get(limit);
        int tooLarge = (before == null ? 0 : before.tooLarge()) + (isFull(limit, bytes) ? 1 : 0);
        sizes.put(
                limit,
                before == null || before.bytes() < bytes
                        ? new Largest(bytes, largestFile(limit.config(), config), point, tooLarge)
                        : new Largest(before.bytes(), before.file(), before.point(), tooLarge));
    }

    private static boolean isFull(Limit limit, int bytes) {
        return 100L * bytes > (long) FULL_PERCENT * limit.bytes();
    }

    private String largestFile(ConfigName name, OperatingSystemConfig.Config config) {
        List<SourceFile> files = source.files(name);
        String largest = "";
        int most = 0;
        for (int i = 0; i < config.files().size(); i++) {
            OperatingSystemConfig.File file = config.files().get(i);
            int bytes = file.data().getBytes(UTF_8).length;
            if (bytes > most) {
                most = bytes;
                largest = i < files.size() ? files.get(i).label() : file.path();
            }
        }
        return largest.isEmpty() ? "" : "; largest: " + largest + " with " + UserDataSize.formatBytes(most);
    }

    private void neverFetched() {
        OperatingSystemProfile.Config provisioning = source.config(ConfigName.provisioningConfig);
        boolean empty = source.files(ConfigName.provisioningConfig).isEmpty()
                && provisioning.units().isEmpty()
                && provisioning.modules() == null;
        if (Boolean.FALSE.equals(fetched) && !empty) {
            findings.warning(
                    LintRule.NEVER_FETCHED,
                    source.positionOf("spec.bootstrapConfig"),
                    "spec.bootstrapConfig",
                    "no file names the secret with the provisioning configuration, so machines never fetch it",
                    "fetch the secret .SecretName of namespace cloud-init-settings, as the default profiles do");
        }
    }

    /** Reports what only all combinations show. */
    void finish() {
        neverFetched();
        sizes.forEach((limit, largest) -> {
            if (!isFull(limit, largest.bytes())) {
                return;
            }
            boolean over = largest.bytes() > limit.bytes();
            String document = limit.config() == ConfigName.bootstrapConfig ? "bootstrap" : "provisioning";
            findings.add(new LintFinding(
                    over ? LintSeverity.ERROR : LintSeverity.WARNING,
                    LintRule.USER_DATA_SIZE,
                    source.positionOf(limit.config().field()),
                    limit.config().field(),
                    SourcePosition.NONE,
                    "the " + document + " document has " + UserDataSize.formatBytes(largest.bytes())
                            + (limit.compressed() ? " after gzip, " : ", ") + limit.taker() + " accepts "
                            + UserDataSize.formatBytes(limit.bytes()) + largest.file(),
                    limit.config() == ConfigName.bootstrapConfig
                            ? "move what is not needed to fetch the rest to provisioningConfig"
                            : "shorten it, or let machines download large content",
                    new Evidence(largest.point().label(), largest.tooLarge(), 0, "")));
        });
    }
}
