package io.osmhub.deploy.migrate;

import io.osmhub.api.schema.ApiJson;
import io.osmhub.deploy.fleet.TerminalSanitizer;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.migrate.MigrationPlan.FoundProfile;
import io.osmhub.deploy.migrate.MigrationPlan.FoundSetting;
import io.osmhub.deploy.migrate.MigrationPlan.MachineDeploymentPlan;
import io.osmhub.deploy.migrate.MigrationPlan.TenantPlan;
import io.osmhub.deploy.migrate.MigrationPlan.Totals;
import java.util.ArrayList;
import java.util.List;

/** Formats a migration plan for terminals: one section for each tenant, then the totals. */
public final class MigrationFormatter {
    private MigrationFormatter() {}

    /**
     * The lines.
     *
     * @param wide whether settings with OSM's default are shown
     * @param width of the terminal; 0 if unlimited
     */
    public static List<String> lines(MigrationPlan plan, boolean wide, boolean headers, int width) {
        List<String> lines = new ArrayList<>();
        for (TenantPlan tenant : plan.items()) {
            lines.add(title(tenant));
            indent(
                    new TextTable<>(tenant.settings().stream()
                                    .filter(setting -> wide || !isDefault(setting))
                                    .toList())
                            .text("SETTING", FoundSetting::field)
                            .text("SOURCE", FoundSetting::source)
                            .text("VALUE", FoundSetting::value),
                    headers,
                    width,
                    lines);
            indent(
                    new TextTable<>(tenant.profiles())
                            .text("PROFILE", FoundProfile::name)
                            .text("VERSION", FoundProfile::version)
                            .number("USED BY", profile -> String.valueOf(profile.usedBy()))
                            .text("ACTION", FoundProfile::action)
                            .text("SOURCE", FoundProfile::source),
                    headers,
                    width,
                    lines);
            indent(
                    new TextTable<>(tenant.machineDeployments())
                            .text("MACHINEDEPLOYMENT", MachineDeploymentPlan::name)
                            .text("PROFILE", MachineDeploymentPlan::profile)
                            .text("BOOTSTRAP", one -> ApiJson.word(one.bootstrap()))
                            .text("PROVISIONING", one -> ApiJson.word(one.provisioning()))
                            .number("WRITES", one -> String.valueOf(one.writes().size())),
                    headers,
                    width,
                    lines);
            for (MachineDeploymentPlan one : tenant.machineDeployments()) {
                one.writes().forEach(write -> add(lines, "would " + write));
            }
            tenant.notes().forEach(note -> add(lines, "note: " + note));
            tenant.unclear().forEach(unclear -> add(lines, "unclear: " + unclear));
            lines.add("");
        }
        lines.add(totals(plan.totals()));
        return lines;
    }

    private static boolean isDefault(FoundSetting setting) {
        return !setting.source().startsWith("argument") && !setting.source().startsWith("environment");
    }

    private static void indent(TextTable<?> table, boolean headers, int width, List<String> lines) {
        if (!table.isEmpty()) {
            table.lines(headers, false, Math.max(0, width - 2)).forEach(line -> lines.add("  " + line));
        }
    }

    private static void add(List<String> lines, String text) {
        lines.add("  " + TerminalSanitizer.sanitizeLine(text));
    }

    private static String title(TenantPlan tenant) {
        return TerminalSanitizer.sanitizeLine("WorkerCluster " + tenant.namespace() + "/" + tenant.workerCluster()
                + (tenant.cluster().isEmpty() ? "" : " of KKP Cluster " + tenant.cluster()) + ", now served by "
                + tenant.osm() + ", Lease " + (tenant.lease().isEmpty() ? "unknown" : tenant.lease())
                + (tenant.holder().isEmpty() ? " free" : " held by " + tenant.holder()));
    }

    /** For example {@code tenants: 3, MachineDeployments: 12, secrets: 36, writes: 0, unclear: 0}. */
    public static String totals(Totals totals) {
        return "tenants: " + totals.tenants() + ", MachineDeployments: " + totals.machineDeployments() + ", secrets: "
                + totals.secrets() + ", writes: " + totals.writes() + ", unclear: " + totals.unclear();
    }
}
