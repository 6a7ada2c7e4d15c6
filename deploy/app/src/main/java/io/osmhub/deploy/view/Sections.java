package io.osmhub.deploy.view;

import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.DocumentSize;
import io.osmhub.api.schema.HistoryEntry;
import io.osmhub.api.schema.MachineDeployment;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.PublishedSecret;
import io.osmhub.api.schema.Source;
import io.osmhub.core.osc.OperatingSystemConfigStatus.SecretState;
import io.osmhub.core.resource.Condition;
import io.osmhub.deploy.fleet.Spans;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.fleet.TextTable.Cell;
import io.osmhub.deploy.fleet.TextTable.Column;
import io.osmhub.deploy.fleet.Tone;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tables that descriptions of several kinds share. */
record Sections(Moments moments) {
    void conditions(Description told, @Nullable List<Condition> conditions) {
        if (conditions == null || conditions.isEmpty()) {
            return;
        }
        TextTable table = new TextTable(List.of(
                Column.text("CONDITION"),
                Column.text("STATUS"),
                Column.text("REASON"),
                Column.text("SINCE"),
                Column.text("MESSAGE")));
        for (Condition one : conditions) {
            table.add(List.of(
                    Cell.of(one.type()),
                    Words.status(one),
                    Cell.of(one.reason()),
                    Cell.of(Spans.since(Words.time(one.lastTransitionTime()), moments.now())),
                    Cell.of(one.message())));
        }
        told.add(table);
    }

    void problems(Description told, @Nullable List<ProblemEntry> problems) {
        if (problems != null && !problems.isEmpty()) {
            told.add(Tables.problems(problems, new Tables.Shown(true, false, moments.now())));
        }
    }

    static TextTable sources(@Nullable Source wanted, @Nullable Source published, MachineDeployment one) {
        TextTable table = new TextTable(List.of(Column.text(""), Column.text("WANTED"), Column.text("IN THE WORKER")));
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
                wanted == null ? null : Words.hash(wanted.contentHash()),
                published == null ? null : Words.hash(published.contentHash()));
        row(
                table,
                "Settings",
                wanted == null ? null : Words.hash(wanted.settingsHash()),
                published == null ? null : Words.hash(published.settingsHash()));
        return table;
    }

    private static void row(TextTable table, String name, @Nullable String wanted, @Nullable String published) {
        boolean differ = !Objects.equals(Words.text(wanted), Words.text(published));
        table.add(List.of(
                Cell.of(name),
                Cell.of(Words.text(wanted)),
                new Cell(Words.text(published), differ ? Tone.WARNING : Tone.PLAIN)));
    }

    static void sizes(Description told, @Nullable List<DocumentSize> sizes) {
        if (sizes == null || sizes.isEmpty()) {
            return;
        }
        TextTable table = new TextTable(
                List.of(Column.text("DOCUMENT"), Column.number("SIZE"), Column.number("LIMIT"), Column.number("USED")));
        for (DocumentSize size : sizes) {
            Long limit = size.limitBytes();
            boolean over = limit != null && size.bytes() > limit;
            table.add(List.of(
                    Cell.of(document(size)),
                    new Cell(Words.bytes(size.bytes()), over ? Tone.BAD : Tone.PLAIN),
                    Cell.of(limit == null ? "" : Words.bytes(limit)),
                    new Cell(
                            limit == null || limit == 0 ? "" : size.bytes() * 100 / limit + " %",
                            over ? Tone.BAD : Tone.PLAIN)));
        }
        told.add(table);
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
                Column.text("WHEN"),
                Column.text("RESULT"),
                Column.text("REV"),
                Column.number("WRITES"),
                Column.text("TOOK"),
                Column.text("BECAUSE")));
        for (HistoryEntry entry : history) {
            boolean refused = entry.result() == HistoryEntry.Result.REFUSED;
            table.add(List.of(
                    Cell.of(moments.of(entry.at())),
                    new Cell(ApiJson.word(entry.result()), refused ? Tone.BAD : Tone.PLAIN),
                    Cell.of(revisions(entry)),
                    Cell.of(entry.writes() == null ? "" : entry.writes().toString()),
                    Cell.of(Words.took(entry.durationMilliseconds())),
                    Cell.of(entry.because())));
        }
        told.add(table);
    }

    private static String revisions(HistoryEntry entry) {
        String from = Words.text(entry.fromRevision());
        String to = Words.text(entry.toRevision());
        return from.isEmpty() || to.isEmpty() || from.equals(to) ? (to.isEmpty() ? from : to) : from + " -> " + to;
    }

    static void secrets(Description told, List<PublishedSecret> secrets) {
        if (secrets.isEmpty()) {
            return;
        }
        TextTable table = new TextTable(
                List.of(Column.text("SECRET"), Column.text("STATE"), Column.text("REV"), Column.number("SIZE")));
        for (PublishedSecret secret : secrets) {
            table.add(List.of(
                    Cell.of(secret.namespace() + "/" + secret.name()),
                    new Cell(
                            ApiJson.word(secret.state()),
                            secret.state() == SecretState.CURRENT ? Tone.GOOD : Tone.WARNING),
                    Cell.of(Words.text(secret.revision())),
                    Cell.of(secret.bytes() == null ? "" : Words.bytes(secret.bytes()))));
        }
        told.add(table);
    }
}
