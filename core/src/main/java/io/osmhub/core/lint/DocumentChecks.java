package io.osmhub.core.lint;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.osmhub.core.lint.ContentChecks.ContentError;
import io.osmhub.core.lint.LintFinding.Evidence;
import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.LintMatrix.MatrixCombination;
import io.osmhub.core.lint.ProfileSource.ConfigName;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.problem.SourcePosition;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.Renderer.RenderedConfig;
import io.osmhub.core.render.UserDataDocuments;
import io.osmhub.core.userdata.UserDataSize;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Builds the user-data documents of each combination and checks their validity and size. */
final class DocumentChecks {
    /** Percentage of the limit; above it, names or certificates longer than in the example may exceed the limit. */
    private static final int FULL_PERCENT = 90;

    /** They report the same as the conversion, with a better location. */
    private static final Set<LintRule> EARLIER = EnumSet.range(LintRule.UNITS_NOT_SUPPORTED, LintRule.FILE_ENCODING);

    /** The file or unit of a field in the profile. */
    private static final Pattern PART = Pattern.compile(".*\\[\\d+]");

    /** The largest document of a limit so far; its evidence counts those that nearly reach the limit. */
    private record Largest(int bytes, LintFinding finding, Evidence evidence) {
        Largest and(Largest other) {
            Largest larger = other.bytes > bytes ? other : this;
            int combinations = evidence.combinations() + other.evidence.combinations();
            Evidence all = new Evidence(larger.evidence.example(), combinations, 0, "");
            return new Largest(larger.bytes, larger.finding, all);
        }
    }

    private final ProfileSource source;
    private final FindingCollector findings;
    private final Map<String, Largest> sizes = new LinkedHashMap<>();
    private final Set<String> read = new HashSet<>();

    /** Whether a combination fetches the provisioning document; null before the first. */
    private @Nullable Boolean fetched;

    DocumentChecks(ProfileSource source, FindingCollector findings) {
        this.source = source;
        this.findings = findings;
    }

    /** @param complete whether no file of the bootstrap configuration was left out */
    void check(MatrixCombination point, RenderInput input, RenderedConfig rendering, boolean complete) {
        if (complete) {
            String secret = rendering.names().provisioningSecret();
            boolean fetches = rendering.revealed().bootstrapConfig().files().stream()
                    .anyMatch(file -> file.data().contains(secret));
            fetched = fetches || Boolean.TRUE.equals(fetched);
        }
        RenderedConfig.Documents documents;
        try {
            documents = UserDataDocuments.createUnchecked(input, rendering);
        } catch (TenantMistake e) {
            e.findings().forEach(finding -> {
                Matcher part = PART.matcher(finding.field());
                if (!part.lookingAt() || !findings.hasBelow(part.group(), EARLIER)) {
                    add(point, finding.field(), LintSeverity.ERROR, finding.cause(), finding.fix());
                }
            });
            return;
        }
        for (ConfigName name : ConfigName.values()) {
            boolean bootstrap = name == ConfigName.bootstrapConfig;
            String document = bootstrap ? documents.bootstrap() : documents.provisioning();
            schema(point, name, document);
            int bytes = document.getBytes(UTF_8).length;
            measure(
                    point,
                    name,
                    bytes,
                    "",
                    new UserDataSize.Limit(UserDataSize.SECRET_BYTES, "a Secret"),
                    () -> largest(input, rendering, bootstrap));
        }
        UserDataSize size = documents.bootstrapSize();
        if (size.limit() != null) {
            String compressed = size.uncompressedBytes() == null ? "" : " after gzip";
            measure(
                    point,
                    ConfigName.bootstrapConfig,
                    size.bytes(),
                    compressed,
                    size.limit(),
                    () -> largest(input, rendering, true));
        }
    }

    private void schema(MatrixCombination point, ConfigName name, String document) {
        // The documents of other combinations differ only in quoted file content.
        if (!read.add(name + point.situation().label())) {
            return;
        }
        for (ContentError error : ContentChecks.checkDocument(document)) {
            String module = name.field() + ".modules." + error.field();
            boolean isModule = source.containsField(module);
            String field = isModule ? module : name.field();
            // Units for operating systems other than Flatcar have their own rule.
            if (!error.field().equals("coreos") && !findings.hasBelow(field, EARLIER)) {
                LintRuleViolation violation = error.violation();
                String what = isModule ? violation.what() : error.message();
                add(point, field, violation.severity(), what, violation.cure());
            }
        }
    }

    private void add(MatrixCombination point, String field, LintSeverity severity, String what, String cure) {
        LintRuleViolation violation = new LintRuleViolation(LintRule.USER_DATA, severity, what, cure);
        findings.add(violation, source.positionOf(field), field, Evidence.of(point.label()));
    }

    private void measure(
            MatrixCombination point,
            ConfigName name,
            int bytes,
            String compressed,
            UserDataSize.Limit limit,
            Supplier<String> largestFile) {
        if (100L * bytes <= (long) FULL_PERCENT * limit.bytes()) {
            return;
        }
        boolean bootstrap = name == ConfigName.bootstrapConfig;
        LintRuleViolation violation = LintRuleViolation.of(
                bytes > limit.bytes() ? "user-data-size.over" : "user-data-size.almost",
                bootstrap ? "bootstrap" : "provisioning",
                UserDataSize.formatBytes(bytes) + compressed,
                limit.source(),
                UserDataSize.formatBytes(limit.bytes()),
                largestFile.get(),
                bootstrap
                        ? "move what is not needed to fetch the rest to provisioningConfig"
                        : "shorten it, or let machines download large content");
        Evidence evidence = Evidence.of(point.label());
        LintFinding finding = new LintFinding(
                violation, source.positionOf(name.field()), name.field(), SourcePosition.NONE, evidence);
        sizes.merge(name + limit.source() + compressed, new Largest(bytes, finding, evidence), Largest::and);
    }

    private static String largest(RenderInput input, RenderedConfig rendering, boolean bootstrap) {
        return UserDataDocuments.largestFiles(input, rendering, bootstrap, 1).stream()
                .map(file -> "; largest: " + (file.field() + " (" + file.path() + ")").strip() + " with "
                        + UserDataSize.formatBytes(file.bytes()))
                .collect(Collectors.joining());
    }

    private void neverFetched() {
        OperatingSystemProfile.Config provisioning = source.spec().provisioningConfig();
        boolean empty = source.files(ConfigName.provisioningConfig).isEmpty()
                && provisioning.units().isEmpty()
                && provisioning.modules() == null;
        if (Boolean.FALSE.equals(fetched) && !empty) {
            String field = ConfigName.bootstrapConfig.field();
            findings.add(LintRuleViolation.of("never-fetched"), source.positionOf(field), field, null);
        }
    }

    /** Reports what only all combinations show. */
    void finish() {
        neverFetched();
        sizes.values().forEach(largest -> findings.add(largest.finding().withEvidence(largest.evidence())));
    }
}
