package io.osmhub.core.lint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.document.Position;
import io.osmhub.core.lint.LintFinding.Evidence;
import io.osmhub.core.lint.ProfileSource.ConfigName;
import io.osmhub.core.lint.ProfileSource.SourceFile;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.Rendering;
import io.osmhub.core.render.UserDataLimit;
import io.osmhub.core.userdata.UserData;
import io.osmhub.core.userdata.UserDataInput;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** Makes the user-data documents of each combination and checks whether they can be read, and how large they are. */
final class DocumentChecks {
    /** Of the limit; above it, a longer name or certificate than in the example may be too much. */
    private static final int FULL_PERCENT = 90;

    /** They say the same as the conversion, and better where. */
    private static final Set<Rule> EARLIER = EnumSet.of(
            Rule.FILE_PATH,
            Rule.FILE_PERMISSIONS,
            Rule.FILE_ENCODING,
            Rule.UNIT_NAME,
            Rule.UNIT_SYNTAX,
            Rule.UNIT_INSTALL);

    /** What a document must not exceed: a limit has one name and one size. */
    private record Limit(ConfigName config, String taker, int bytes) {}

    /** The largest document so far. */
    private record Largest(int bytes, String file, MatrixPoint point, int tooLarge) {}

    private final ProfileSource source;
    private final Findings findings;
    private final Map<Limit, Largest> sizes = new LinkedHashMap<>();
    private final Set<String> read = new HashSet<>();

    DocumentChecks(ProfileSource source, Findings findings) {
        this.source = source;
        this.findings = findings;
    }

    void check(MatrixPoint point, Rendering rendering) {
        OperatingSystemConfig.Spec spec = rendering.revealed();
        check(point, ConfigName.provisioningConfig, spec, spec.provisioningConfig());
        check(point, ConfigName.bootstrapConfig, spec, spec.bootstrapConfig());
    }

    private void check(
            MatrixPoint point, ConfigName name, OperatingSystemConfig.Spec spec, OperatingSystemConfig.Config config) {
        String document;
        try {
            document = UserData.document(new UserDataInput(
                    config,
                    spec.provisioningUtility(),
                    spec.osName(),
                    spec.cloudProvider(),
                    "workers",
                    point.situation().full(),
                    name == ConfigName.bootstrapConfig));
        } catch (TenantMistake e) {
            e.findings().forEach(finding -> refused(point, name, finding));
            return;
        }
        // The documents of other combinations differ in the files' content only, which is quoted.
        if (read.add(name + point.situation().label())) {
            if (CloudConfig.is(document)) {
                cloudConfig(point, name, document);
            } else {
                ignition(point, name, document);
            }
        }
        int bytes = document.getBytes(UTF_8).length;
        measure(point, new Limit(name, "a Secret", UserDataLimit.SECRET_BYTES), bytes, config);
        OptionalInt limit = UserDataLimit.of(point.cloudProvider());
        if (name == ConfigName.bootstrapConfig && limit.isPresent()) {
            measure(point, new Limit(name, point.cloudProvider(), limit.getAsInt()), bytes, config);
        }
    }

    private void cloudConfig(MatrixPoint point, ConfigName name, String document) {
        for (ContentFormat.Fault fault : ContentFormat.YAML.check(document)) {
            add(
                    point,
                    fault.severity(),
                    source.at(name.field()),
                    name.field(),
                    "the document is not valid YAML: " + fault.message());
            return;
        }
        for (CloudConfig.Fault fault : CloudConfig.check(document)) {
            cloudConfig(point, name, fault);
        }
    }

    private void cloudConfig(MatrixPoint point, ConfigName name, CloudConfig.Fault fault) {
        // Units of another system than Flatcar have a rule of their own.
        if (fault.path().equals("coreos")) {
            return;
        }
        String module = name.field() + ".modules." + fault.path();
        Part part;
        if (fault.path().startsWith("write_files[")) {
            part = part(name, name.field() + "." + fault.path().substring("write_".length()));
        } else {
            String field = source.holds(module) ? module : name.field();
            part = new Part(field, field, "");
        }
        if (!findings.hasBelow(part.base(), EARLIER)) {
            String what = part.base().equals(module) ? fault.what() : fault.path() + ": " + fault.what();
            findings.add(new LintFinding(
                    fault.severity(),
                    Rule.USER_DATA,
                    source.at(part.base()),
                    part.label(),
                    Position.NONE,
                    what,
                    fault.cure(),
                    Evidence.of(point.label())));
        }
    }

    private void ignition(MatrixPoint point, ConfigName name, String document) {
        for (IgnitionConfig.Fault fault : IgnitionConfig.check(document)) {
            String base = name.field() + ".units";
            boolean known = fault.path().startsWith("systemd.units") && findings.hasBelow(base, EARLIER);
            if (!known) {
                add(point, Severity.ERROR, source.at(name.field()), name.field(), fault.path() + ": " + fault.what());
            }
        }
    }

    private void refused(MatrixPoint point, ConfigName name, Finding finding) {
        Part part = part(name, finding.field());
        if (!findings.hasBelow(part.base(), EARLIER)) {
            Position position =
                    part.content().isEmpty() ? source.at(part.base()) : source.positionIn(part.content(), 1, 1);
            String what = finding.what();
            int place = what.indexOf(" of its Container Linux Config)");
            // Where the peer's intermediate text has it helps nobody here.
            what = place < 0 ? what : what.substring(0, what.lastIndexOf(" (", place));
            findings.add(new LintFinding(
                    Severity.ERROR,
                    Rule.USER_DATA,
                    position,
                    part.label(),
                    Position.NONE,
                    what,
                    finding.cure(),
                    Evidence.of(point.label())));
        }
    }

    /**
     * The part of the profile that a finding about the OSC means.
     *
     * @param content the field of its text; empty when the finding is not about its content
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
            return new Part(base, field, content && source.holds(base + ".content") ? base + ".content" : "");
        }
        return new Part(name.field(), field, "");
    }

    private void add(MatrixPoint point, Severity severity, Position position, String field, String what) {
        findings.add(new LintFinding(
                severity, Rule.USER_DATA, position, field, Position.NONE, what, "", Evidence.of(point.label())));
    }

    private void measure(MatrixPoint point, Limit limit, int bytes, OperatingSystemConfig.Config config) {
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
        return largest.isEmpty() ? "" : "; largest is " + largest + " with " + bytes(most);
    }

    /** Reports the sizes, once all combinations were made. */
    void finish() {
        sizes.forEach((limit, largest) -> {
            if (!isFull(limit, largest.bytes())) {
                return;
            }
            boolean over = largest.bytes() > limit.bytes();
            String document = limit.config() == ConfigName.bootstrapConfig ? "bootstrap" : "provisioning";
            findings.add(new LintFinding(
                    over ? Severity.ERROR : Severity.WARNING,
                    Rule.USER_DATA_SIZE,
                    source.at(limit.config().field()),
                    limit.config().field(),
                    Position.NONE,
                    "the " + document + " document has " + bytes(largest.bytes()) + ", " + limit.taker() + " takes "
                            + bytes(limit.bytes()) + largest.file(),
                    limit.config() == ConfigName.bootstrapConfig
                            ? "move what is not needed to fetch the rest into provisioningConfig"
                            : "shorten it, or let machines download what is large",
                    new Evidence(largest.point().label(), largest.tooLarge(), 0, "")));
        });
    }

    /** {@code 16,384 B}. */
    private static String bytes(int count) {
        return String.format(Locale.ROOT, "%,d B", count);
    }
}
