package io.osmhub.core.userdata;

import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What the transpiler checks of values that it could read. The peer takes a warning for an error here; so machines agree. */
final class IgnitionCheck {
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

    IgnitionCheck(UserDataInput input, List<String> keys) {
        this.input = input;
        this.keys = keys;
    }

    /** {@code severity} is the conversion's word, {@code error} or {@code warning}; both end it. */
    private record Fault(Place place, String severity, String what, String cure) {}

    void refuseIfIllegal() {
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
            add(Place.path(index, file), "path not absolute", "begin the path with /");
        }
        if (!Permissions.isLegal(Permissions.ignitionMode(file.permissions()))) {
            add(
                    Place.permissions(index, file),
                    "illegal file mode",
                    "write three octal digits, 644 for example; Ignition takes any other number of digits as decimal, up to 4095");
        }
    }

    private void check(int index, SystemdUnit unit) {
        String content = Ignition.clipped(unit.content() == null ? "" : unit.content());
        UnitText.Reading reading = UnitText.read(content);
        if (reading.fault() != null) {
            add(
                    Place.unitContent(index, unit),
                    "invalid unit content: " + reading.fault(),
                    "write sections [Name] and lines Name=value, each shorter than 2048 bytes");
        } else if (Boolean.TRUE.equals(unit.enable()) && reading.lacksInstall()) {
            faults.add(new Fault(
                    Place.unitContent(index, unit),
                    "warning",
                    "unit \"" + unit.name() + "\" is enabled, but has no install section so enable does nothing",
                    "add a section [Install], with WantedBy=multi-user.target for example, or do not enable the unit"));
        }
        for (int i = 0; i < unit.dropIns().size(); i++) {
            SystemdUnit.DropIn dropIn = unit.dropIns().get(i);
            String fault = UnitText.read(Ignition.clipped(dropIn.content())).fault();
            if (fault != null) {
                add(
                        Place.dropInContent(index, i, dropIn),
                        "invalid unit content: " + fault,
                        "write sections [Name] and lines Name=value, each shorter than 2048 bytes");
            }
            if (!extension(dropIn.name()).equals(".conf")) {
                add(Place.dropInName(index, i, dropIn), "invalid systemd drop-in extension", "end the name in .conf");
            }
        }
        if (!UNIT_EXTENSIONS.contains(extension(unit.name()))) {
            add(
                    Place.unitName(index, unit),
                    "invalid systemd unit extension",
                    "end the name in the type of the unit, .service for example");
        }
    }

    private void add(Place place, String what, String cure) {
        faults.add(new Fault(place, "error", what, cure));
    }

    private static String extension(String name) {
        int dot = name.lastIndexOf('.');
        return dot > name.lastIndexOf('/') ? name.substring(dot) : "";
    }

    /** Each with the line and column that the conversion reports, for those who compare with its log. */
    private List<Finding> findings() {
        ContainerLinuxConfig text = ContainerLinuxConfig.of(input, keys);
        return faults.stream()
                .map(fault -> new Finding(
                        ContainerLinuxConfig.REASON,
                        "OperatingSystemConfig",
                        input.field(fault.place().field()),
                        fault.what() + " (" + fault.severity() + " at " + text.position(fault.place())
                                + " of its Container Linux Config)",
                        fault.cure()))
                .toList();
    }
}
