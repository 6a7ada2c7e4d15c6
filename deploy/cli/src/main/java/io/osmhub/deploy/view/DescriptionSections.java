package io.osmhub.deploy.view;

import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.ConfigurationSource;
import io.osmhub.api.schema.DocumentSize;
import io.osmhub.api.schema.HistoryEntry;
import io.osmhub.api.schema.MachineDeploymentEntry;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.PublishedSecret;
import io.osmhub.core.osc.OperatingSystemConfigStatus.SecretState;
import io.osmhub.core.resource.Condition;
import io.osmhub.deploy.fleet.HumanDuration;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.fleet.TextTable.CellStyle;
import io.osmhub.deploy.fleet.TextTable.TextTableCell;
import io.osmhub.deploy.fleet.TextTable.TextTableColumn;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tables shared by descriptions of several kinds. */
record DescriptionSections(TimestampFormatter moments) {
    void conditions(Description told, @Nullable List<Condition> conditions) {
        if (conditions == null || conditions.isEmpty()) {
            return;
        }
        TextTable table = new TextTable(List.of(
                TextTableColumn.text("CONDITION"),
                TextTableColumn.text("STATUS"),
                TextTableColumn.text("REASON"),
                TextTableColumn.text("SINCE"),
                TextTableColumn.text("MESSAGE")));
        for (Condition one : conditions) {
            table.add(List.of(
                    TextTableCell.of(one.type()),
                    ValueFormatter.status(one),
                    TextTableCell.of(one.reason()),
                    TextTableCell.of(HumanDuration.since(ValueFormatter.time(one.lastTransitionTime()), moments.now())),
                    TextTableCell.of(one.message())));
        }
        told.addTable(table);
    }

    void problems(Description told, @Nullable List<ProblemEntry> problems) {
        if (problems != null && !problems.isEmpty()) {
            told.addTable(FleetTables.problems(problems, new FleetTables.TableScope(true, false, moments.now())));
        }
    }

    static TextTable sources(
            @Nullable ConfigurationSource wanted, @Nullable ConfigurationSource published, MachineDeploymentEntry one) {
        TextTable table = new TextTable(List.of(
                TextTableColumn.text(""), TextTableColumn.text("DESIRED"), TextTableColumn.text("IN THE WORKER")));
        String revision =
                one.revision() == null && wanted != null ? wanted.machineDeploymentRevision() : one.revision();
        row(table, "Revision", revision, one.publishedRevision());
        row(
                table,
                "Profile version",
                wanted == null ? null : wanted.profileVersion(),
                published == null ? null : published.profileVersion());
        row(
                table,
                "Content",
                wanted == null ? null : ValueFormatter.hash(wanted.contentHash()),
                published == null ? null : ValueFormatter.hash(published.contentHash()));
        row(
                table,
                "Settings",
                wanted == null ? null : ValueFormatter.hash(wanted.settingsHash()),
                published == null ? null : ValueFormatter.hash(published.settingsHash()));
        return table;
    }

    private static void row(TextTable table, String name, @Nullable String wanted, @Nullable String published) {
        boolean differ = !Objects.equals(ValueFormatter.text(wanted), ValueFormatter.text(published));
        table.add(List.of(
                TextTableCell.of(name),
                TextTableCell.of(ValueFormatter.text(wanted)),
                new TextTableCell(ValueFormatter.text(published), differ ? CellStyle.WARNING : CellStyle.PLAIN)));
    }

    static void sizes(Description told, @Nullable List<DocumentSize> sizes) {
        if (sizes == null || sizes.isEmpty()) {
            return;
        }
        TextTable table = new TextTable(List.of(
                TextTableColumn.text("DOCUMENT"),
                TextTableColumn.number("SIZE"),
                TextTableColumn.number("LIMIT"),
                TextTableColumn.number("USED")));
        for (DocumentSize size : sizes) {
            Long limit = size.limitBytes();
            boolean over = limit != null && size.bytes() > limit;
            table.add(List.of(
                    TextTableCell.of(document(size)),
                    new TextTableCell(ValueFormatter.bytes(size.bytes()), over ? CellStyle.BAD : CellStyle.PLAIN),
                    TextTableCell.of(limit == null ? "" : ValueFormatter.bytes(limit)),
                    new TextTableCell(
                            limit == null || limit == 0 ? "" : size.bytes() * 100 / limit + " %",
                            over ? CellStyle.BAD : CellStyle.PLAIN)));
        }
        told.addTable(table);
    }

    private static String document(DocumentSize size) {
        return switch (size.document()) {
            case BOOTSTRAP -> "bootstrap";
            case PROVISIONING -> "provisioning";
            case KUBELET_BOOTSTRAP -> "kubelet-bootstrap";
            case EDGE_SCRIPT -> "edge-script";
            case OPERATING_SYSTEM_CONFIG -> "osc";
        };
    }

    void history(Description told, @Nullable List<HistoryEntry> history) {
        if (history == null || history.isEmpty()) {
            return;
        }
        TextTable table = new TextTable(List.of(
                TextTableColumn.text("WHEN"),
                TextTableColumn.text("RESULT"),
                TextTableColumn.text("REV"),
                TextTableColumn.number("WRITES"),
                TextTableColumn.text("TOOK"),
                TextTableColumn.text("BECAUSE")));
        for (HistoryEntry entry : history) {
            boolean refused = entry.result() == HistoryEntry.Result.REFUSED;
            table.add(List.of(
                    TextTableCell.of(moments.format(entry.at())),
                    new TextTableCell(ApiJson.word(entry.result()), refused ? CellStyle.BAD : CellStyle.PLAIN),
                    TextTableCell.of(revisions(entry)),
                    TextTableCell.of(
                            entry.writes() == null ? "" : entry.writes().toString()),
                    TextTableCell.of(ValueFormatter.milliseconds(entry.durationMilliseconds())),
                    TextTableCell.of(entry.because())));
        }
        told.addTable(table);
    }

    private static String revisions(HistoryEntry entry) {
        String from = ValueFormatter.text(entry.fromRevision());
        String to = ValueFormatter.text(entry.toRevision());
        return from.isEmpty() || to.isEmpty() || from.equals(to) ? (to.isEmpty() ? from : to) : from + " -> " + to;
    }

    static void secrets(Description told, List<PublishedSecret> secrets) {
        if (secrets.isEmpty()) {
            return;
        }
        TextTable table = new TextTable(List.of(
                TextTableColumn.text("SECRET"),
                TextTableColumn.text("STATE"),
                TextTableColumn.text("REV"),
                TextTableColumn.number("SIZE")));
        for (PublishedSecret secret : secrets) {
            table.add(List.of(
                    TextTableCell.of(secret.namespace() + "/" + secret.name()),
                    new TextTableCell(
                            ApiJson.word(secret.state()),
                            secret.state() == SecretState.CURRENT ? CellStyle.GOOD : CellStyle.WARNING),
                    TextTableCell.of(ValueFormatter.text(secret.revision())),
                    TextTableCell.of(secret.bytes() == null ? "" : ValueFormatter.bytes(secret.bytes()))));
        }
        told.addTable(table);
    }
}
