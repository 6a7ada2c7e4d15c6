package io.osmhub.core.userdata;

import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The transpiler's checks of values. As in OSM, warnings count as errors. */
final class IgnitionValidator {
    private static final Set<String> UNIT_EXTENSIONS = Set.of(
            ".service",
            ".socket",
            ".device",
            ".mount",
            ".automount",
            ".swap",
            ".target",
            ".path",
            ".timer",
            ".snapshot",
            ".slice",
            ".scope");

    private final UserDataInput input;
    private final List<String> keys;
    private final List<Fault> faults = new ArrayList<>();

    IgnitionValidator(UserDataInput input, List<String> keys) {
        this.input = input;
        this.keys = keys;
    }

    /** {@code severity} is the conversion's {@code error} or {@code warning}; both abort it. */
    private record Fault(ConfigFieldPath place, String severity, String what, String cure) {}

    void requireValid() {
        List<File> files = input.config().files();
        for (int i = 0; i < files.size(); i++) {
            check(i, files.get(i));
        }
        List<SystemdUnit> units = input.config().units();
        for (int i = 0; i < units.size(); i++) {
            check(i, units.get(i));
        }
        if (!faults.isEmpty()) {
            throw new TenantMistake(findings());
        }
    }

    private void check(int index, File file) {
        if (!file.path().startsWith("/")) {
            add(ConfigFieldPath.path(index, file), "path not absolute", "begin the path with /");
        }
        if (!FilePermissions.isValid(FilePermissions.ignitionMode(file.permissions()))) {
            add(
                    ConfigFieldPath.permissions(index, file),
                    "illegal file mode",
                    "use three octal digits, for example 644; Ignition parses any other number of digits as decimal, up to 4095");
        }
    }

    private void check(int index, SystemdUnit unit) {
        String content = IgnitionDocument.truncate(unit.content() == null ? "" : unit.content());
        SystemdUnitParser.UnitParseResult reading = SystemdUnitParser.parse(content);
        if (reading.fault() != null) {
            add(
                    ConfigFieldPath.unitContent(index, unit),
                    "invalid unit content: " + reading.fault(),
                    "use sections [Name] and lines Name=value, each shorter than 2048 bytes");
        } else if (Boolean.TRUE.equals(unit.enable()) && reading.lacksInstall()) {
            faults.add(new Fault(
                    ConfigFieldPath.unitContent(index, unit),
                    "warning",
                    "unit \"" + unit.name() + "\" is enabled, but has no install section so enable does nothing",
                    "add a section [Install], with WantedBy=multi-user.target for example, or do not enable the unit"));
        }
        for (int i = 0; i < unit.dropIns().size(); i++) {
            SystemdUnit.DropIn dropIn = unit.dropIns().get(i);
            String fault = SystemdUnitParser.parse(IgnitionDocument.truncate(dropIn.content()))
                    .fault();
            if (fault != null) {
                add(
                        ConfigFieldPath.dropInContent(index, i, dropIn),
                        "invalid unit content: " + fault,
                        "use sections [Name] and lines Name=value, each shorter than 2048 bytes");
            }
            if (!extension(dropIn.name()).equals(".conf")) {
                add(
                        ConfigFieldPath.dropInName(index, i, dropIn),
                        "invalid systemd drop-in extension",
                        "end the name with .conf");
            }
        }
        if (!UNIT_EXTENSIONS.contains(extension(unit.name()))) {
            add(
                    ConfigFieldPath.unitName(index, unit),
                    "invalid systemd unit extension",
                    "end the name with the unit type, for example .service");
        }
    }

    private void add(ConfigFieldPath place, String what, String cure) {
        faults.add(new Fault(place, "error", what, cure));
    }

    private static String extension(String name) {
        int dot = name.lastIndexOf('.');
        return dot > name.lastIndexOf('/') ? name.substring(dot) : "";
    }

    /** Findings with the line and column of the conversion, to compare with its log. */
    private List<ProblemFinding> findings() {
        ContainerLinuxConfig text = ContainerLinuxConfig.of(input, keys);
        return faults.stream()
                .map(fault -> new ProblemFinding(
                        ContainerLinuxConfig.REASON,
                        "OperatingSystemConfig",
                        input.fieldPath(fault.place().field()),
                        fault.what() + " (" + fault.severity() + " at " + text.describePosition(fault.place())
                                + " of its Container Linux Config)",
                        fault.cure()))
                .toList();
    }
}
