package io.osmhub.deploy.view;

import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.ConfigurationSource;
import io.osmhub.api.schema.DocumentSize;
import io.osmhub.api.schema.Finding;
import io.osmhub.api.schema.HistoryEntry;
import io.osmhub.api.schema.MachineDeploymentDetail;
import io.osmhub.api.schema.MachineDeploymentEntry;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.OscDetail;
import io.osmhub.api.schema.Osp;
import io.osmhub.api.schema.OspDetail;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.PublishedSecret;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.core.osc.OperatingSystemConfigStatus.SecretState;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.ProblemSeverity;
import io.osmhub.core.template.language.TemplateLanguage;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.deploy.fleet.HumanDuration;
import io.osmhub.deploy.fleet.TerminalSanitizer;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.fleet.TextTable.CellStyle;
import io.osmhub.deploy.fleet.TextTable.TextTableCell;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Describes single objects of the fleet. Pure except for the given clock. */
public final class ObjectDescriber {
    private static final String STORED = "Based on stored state: the replica that serves this tenant did not answer.";

    private final TimestampFormatter moments;
    private final boolean colors;
    private final int width;

    /** @param width of the terminal; 0 if unlimited */
    public ObjectDescriber(TimestampFormatter moments, boolean colors, int width) {
        this.moments = moments;
        this.colors = colors;
        this.width = width;
    }

    // Worker clusters

    /** @param problems open problems of its tenant */
    public List<String> of(WorkerClusterEntry cluster, List<ProblemEntry> problems) {
        WorkerClusterStatus status = cluster.status();
        Condition ready = ValueFormatter.condition(status.conditions(), "Ready").orElse(null);
        String reason = ready == null || ready.status() == Condition.Status.TRUE ? "" : ": " + ready.reason();
        Description told = new Description()
                .addField(
                        "WorkerCluster",
                        cluster.metadata().namespace() + "/"
                                + cluster.metadata().name())
                .addField("State", ApiJson.word(cluster.state()) + reason)
                .addField("API server", joined(status.endpoint(), status.kubernetesVersion()))
                .addField("Connection", ValueFormatter.noAnswer(status, moments.now()))
                .addField("Credential", credential(status))
                .addField("MachineDeployments", counts(status))
                .addField("Last change", since(ValueFormatter.time(status.lastSyncTime())))
                .addField(
                        "Registered",
                        since(cluster.metadata().createdAt())
                                + (cluster.registeredBy() == null
                                        ? ""
                                        : ", by " + ApiJson.word(cluster.registeredBy())));
        conditions(told, status.conditions());
        problems(told, problems);
        return told.lines(colors, width);
    }

    private static String joined(@Nullable String one, @Nullable String other) {
        return one == null ? ValueFormatter.text(other) : other == null ? one : one + ", " + other;
    }

    private String credential(WorkerClusterStatus status) {
        Instant end = ValueFormatter.time(status.credentialsExpireAt());
        String kind = status.credentialsKind() == null ? "" : ApiJson.word(status.credentialsKind());
        String left = HumanDuration.until(end, moments.now());
        String ends = left.isEmpty() ? "" : left.equals("expired") ? left : "expires in " + left;
        return kind.isEmpty() || ends.isEmpty() ? kind + ends : kind + ", " + ends;
    }

    private static String counts(WorkerClusterStatus status) {
        WorkerClusterStatus.MachineDeploymentCounts counts = status.machineDeployments();
        if (counts == null || counts.total() == null) {
            return "";
        }
        List<String> parts = new ArrayList<>();
        count(parts, counts.blocked(), "blocked");
        count(parts, counts.outdated(), "outdated");
        count(parts, counts.atRisk(), "at risk");
        count(parts, counts.pending(), "pending");
        count(parts, counts.current(), "current");
        return counts.total() + (parts.isEmpty() ? "" : ": " + String.join(", ", parts));
    }

    private static void count(List<String> parts, @Nullable Integer count, String word) {
        if (count != null && count > 0) {
            parts.add(count + " " + word);
        }
    }

    private String since(@Nullable Instant moment) {
        return moment == null ? "" : HumanDuration.since(moment, moments.now()) + " ago";
    }

    // MachineDeployments

    public List<String> of(MachineDeploymentDetail detail) {
        MachineDeploymentEntry one = detail.machineDeployment();
        ConfigurationSource published = detail.published();
        ConfigurationSource wanted = detail.wanted() == null ? published : detail.wanted();
        Description told = new Description()
                .addField(
                        "MachineDeployment",
                        one.namespace() + "/" + one.name() + " of " + one.tenant() + "/" + one.workerCluster())
                .addField("New nodes", newNodes(one))
                .addField("Profile", profile(one, wanted))
                .addField("Provider, kubelet", provider(one));
        told.addTable(sources(wanted, published, one));
        sizes(told, detail.sizes());
        problems(told, detail.problems());
        history(told, detail.history());
        if (one.unansweredBy() != null) {
            told.addRemark(STORED);
        }
        return told.lines(colors, width);
    }

    private String newNodes(MachineDeploymentEntry one) {
        String said = ApiJson.word(one.newNodes());
        if (one.reason() == null) {
            return said;
        }
        String age =
                one.since() == null ? "" : " for " + ValueFormatter.age(Duration.between(one.since(), moments.now()));
        return said + age + ": " + one.reason().wireName();
    }

    private static String profile(MachineDeploymentEntry one, @Nullable ConfigurationSource wanted) {
        if (wanted == null || wanted.profile() == null) {
            return ValueFormatter.text(one.profile());
        }
        return wanted.profile() + version(wanted.profileVersion()) + engine(wanted.templateEngine());
    }

    private static String version(@Nullable String version) {
        return version == null || version.isEmpty() ? "" : " " + version;
    }

    private static String engine(@Nullable TemplateLanguage engine) {
        return engine == null ? "" : " (" + engine.wireName().toLowerCase(Locale.ROOT) + ")";
    }

    private static String provider(MachineDeploymentEntry one) {
        List<String> parts = new ArrayList<>();
        for (String part : new @Nullable String[] {one.cloudProvider(), one.operatingSystem(), one.kubeletVersion()}) {
            if (part != null && !part.isEmpty()) {
                parts.add(part);
            }
        }
        return parts.isEmpty() && one.unansweredBy() != null ? "?" : String.join(", ", parts);
    }

    // Configurations

    public List<String> of(OscDetail detail) {
        Osc one = detail.configuration();
        ConfigurationSource source = one.source();
        ConfigurationSource wanted = detail.wanted();
        Description told = new Description()
                .addField(
                        "OperatingSystemConfig",
                        one.metadata().namespace() + "/" + one.metadata().name())
                .addField(
                        "MachineDeployment",
                        ValueFormatter.text(one.machineDeployment().namespace()) + "/"
                                + one.machineDeployment().name()
                                + (one.workerCluster() == null ? "" : " of " + one.workerCluster()))
                .addField("New nodes", ApiJson.word(one.newNodes()))
                .addField("Rendered from", source == null ? "" : madeFrom(source))
                .addField("Desired", wanted == null ? "" : madeFrom(wanted))
                .addField(
                        "Rendered",
                        source == null || source.renderedAt() == null ? "" : moments.format(source.renderedAt()))
                .addField("Reason", source == null ? "" : ValueFormatter.text(source.because()))
                .addField("Bootstrap token", token(detail));
        conditions(told, one.conditions());
        sizes(told, detail.sizes());
        secrets(told, detail.secrets());
        history(told, detail.history());
        if (detail.unansweredBy() != null) {
            told.addRemark(STORED);
        }
        return told.lines(colors, width);
    }

    private static String madeFrom(ConfigurationSource source) {
        String revision = ValueFormatter.text(source.machineDeploymentRevision());
        return ValueFormatter.text(source.profile()) + version(source.profileVersion())
                + (revision.isEmpty() ? "" : ", revision " + revision)
                + ", settings " + ValueFormatter.hash(source.settingsHash()) + ", content "
                + ValueFormatter.hash(source.contentHash());
    }

    private String token(OscDetail detail) {
        if (detail.tokenExpiresAt() == null) {
            return detail.unansweredBy() != null ? "?" : "";
        }
        String left = HumanDuration.until(detail.tokenExpiresAt(), moments.now());
        return left.equals("expired") ? left : left + " left";
    }

    // Profiles

    public List<String> of(OspDetail detail) {
        Osp one = detail.profile();
        Condition valid = one.valid();
        boolean good = valid.status() == Condition.Status.TRUE;
        Description told = new Description()
                .addField(
                        "OperatingSystemProfile",
                        one.metadata().namespace() + "/" + one.metadata().name() + version(one.version())
                                + engine(one.templateEngine()))
                .addField(
                        "Operating system",
                        one.osName()
                                + version(one.osVersion())
                                + (one.provisioningUtility() == null
                                        ? ""
                                        : ", " + ApiJson.word(one.provisioningUtility())))
                .addField(
                        "Providers",
                        one.supportedCloudProviders() == null ? "" : String.join(", ", one.supportedCloudProviders()))
                .addField("Kubernetes", ValueFormatter.text(one.supportedKubernetesVersions()))
                .addField(
                        "Used by",
                        ValueFormatter.countOf(one.usedBy().machineDeployments(), "MachineDeployment") + " in "
                                + ValueFormatter.countOf(one.usedBy().workerClusters(), "worker cluster"))
                .addField(
                        "Valid",
                        ApiJson.word(valid.status()) + (good ? "" : ": " + valid.reason() + ": " + valid.message()));
        told.addTable(new TextTable<>(detail.files())
                .text("DOCUMENT", file -> ApiJson.word(file.document()).toLowerCase(Locale.ROOT))
                .text("MODE", OspDetail.File::permissions)
                .number(
                        "TEMPLATE",
                        file -> file.templateBytes() == null ? "" : ValueFormatter.bytes(file.templateBytes()))
                .text("FILE", OspDetail.File::path));
        told.addTable(new TextTable<>(detail.findings())
                .cell(
                        "SEVERITY",
                        finding -> new TextTableCell(
                                ApiJson.word(finding.severity()),
                                finding.severity() == ProblemSeverity.ERROR ? CellStyle.BAD : CellStyle.WARNING))
                .text("RULE", Finding::rule)
                .text("FIELD", Finding::field)
                .text("MESSAGE", finding -> finding.message() + (finding.cure() == null ? "" : "; " + finding.cure())));
        return told.lines(colors, width);
    }

    // Tables of several kinds

    private void conditions(Description told, @Nullable List<Condition> conditions) {
        told.addTable(new TextTable<>(conditions)
                .text("CONDITION", Condition::type)
                .cell("STATUS", ValueFormatter::status)
                .text("REASON", Condition::reason)
                .text("SINCE", one -> HumanDuration.since(ValueFormatter.time(one.lastTransitionTime()), moments.now()))
                .text("MESSAGE", Condition::message));
    }

    private void problems(Description told, @Nullable List<ProblemEntry> problems) {
        told.addTable(FleetTables.problems(
                problems == null ? List.of() : problems, new FleetTables.TableScope(true, false, moments.now())));
    }

    private record SourceRow(
            String name, @Nullable String wanted, @Nullable String published) {
        SourceRow(
                String name,
                @Nullable ConfigurationSource wanted,
                @Nullable ConfigurationSource published,
                Function<ConfigurationSource, @Nullable String> value) {
            this(name, wanted == null ? null : value.apply(wanted), published == null ? null : value.apply(published));
        }

        TextTableCell publishedCell() {
            boolean differ = !ValueFormatter.text(wanted).equals(ValueFormatter.text(published));
            return new TextTableCell(ValueFormatter.text(published), differ ? CellStyle.WARNING : CellStyle.PLAIN);
        }
    }

    private static TextTable<SourceRow> sources(
            @Nullable ConfigurationSource wanted, @Nullable ConfigurationSource published, MachineDeploymentEntry one) {
        String revision =
                one.revision() == null && wanted != null ? wanted.machineDeploymentRevision() : one.revision();
        return new TextTable<>(List.of(
                        new SourceRow("Revision", revision, one.publishedRevision()),
                        new SourceRow("Profile version", wanted, published, ConfigurationSource::profileVersion),
                        new SourceRow(
                                "Content", wanted, published, source -> ValueFormatter.hash(source.contentHash())),
                        new SourceRow(
                                "Settings", wanted, published, source -> ValueFormatter.hash(source.settingsHash()))))
                .text("", SourceRow::name)
                .text("DESIRED", SourceRow::wanted)
                .cell("PUBLISHED", SourceRow::publishedCell);
    }

    private static void sizes(Description told, @Nullable List<DocumentSize> sizes) {
        told.addTable(new TextTable<>(sizes)
                .text("DOCUMENT", ObjectDescriber::document)
                .numberCell("SIZE", size -> new TextTableCell(ValueFormatter.bytes(size.bytes()), tone(size)))
                .number("LIMIT", size -> size.limitBytes() == null ? "" : ValueFormatter.bytes(size.limitBytes()))
                .numberCell(
                        "USED",
                        size -> new TextTableCell(
                                size.limitBytes() == null || size.limitBytes() == 0
                                        ? ""
                                        : size.bytes() * 100 / size.limitBytes() + " %",
                                tone(size))));
    }

    private static CellStyle tone(DocumentSize size) {
        return size.limitBytes() != null && size.bytes() > size.limitBytes() ? CellStyle.BAD : CellStyle.PLAIN;
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

    private void history(Description told, @Nullable List<HistoryEntry> history) {
        told.addTable(new TextTable<>(history)
                .text("WHEN", entry -> moments.format(entry.at()))
                .cell(
                        "RESULT",
                        entry -> new TextTableCell(
                                ApiJson.word(entry.result()),
                                entry.result() == HistoryEntry.Result.REFUSED ? CellStyle.BAD : CellStyle.PLAIN))
                .text("REV", ObjectDescriber::revisions)
                .number(
                        "WRITES",
                        entry -> entry.writes() == null ? "" : entry.writes().toString())
                .text("TOOK", entry -> ValueFormatter.milliseconds(entry.durationMilliseconds()))
                .text("REASON", HistoryEntry::because));
    }

    private static String revisions(HistoryEntry entry) {
        String from = ValueFormatter.text(entry.fromRevision());
        String to = ValueFormatter.text(entry.toRevision());
        return from.isEmpty() || to.isEmpty() || from.equals(to) ? (to.isEmpty() ? from : to) : from + " -> " + to;
    }

    private static void secrets(Description told, List<PublishedSecret> secrets) {
        told.addTable(new TextTable<>(secrets)
                .text("SECRET", secret -> secret.namespace() + "/" + secret.name())
                .cell(
                        "STATE",
                        secret -> new TextTableCell(
                                ApiJson.word(secret.state()),
                                secret.state() == SecretState.CURRENT ? CellStyle.GOOD : CellStyle.WARNING))
                .text("REV", PublishedSecret::revision)
                .number("SIZE", secret -> secret.bytes() == null ? "" : ValueFormatter.bytes(secret.bytes())));
    }

    /** The description of one object: fields, then tables and remarks. */
    private static final class Description {
        private final List<String[]> head = new ArrayList<>();
        private final List<TextTable<?>> tables = new ArrayList<>();
        private final List<String> remarks = new ArrayList<>();

        /** Adds a field; ignored if empty. */
        Description addField(String name, String value) {
            if (!value.isEmpty()) {
                head.add(new String[] {name, TerminalSanitizer.sanitizeLine(value)});
            }
            return this;
        }

        /** Adds a table; ignored if empty. */
        void addTable(TextTable<?> table) {
            if (!table.isEmpty()) {
                tables.add(table);
            }
        }

        /** Adds a sentence below the tables. */
        void addRemark(String sentence) {
            remarks.add(TerminalSanitizer.sanitizeLine(sentence));
        }

        List<String> lines(boolean colors, int width) {
            int names = head.stream().mapToInt(pair -> pair[0].length()).max().orElse(0);
            List<String> lines = new ArrayList<>();
            head.forEach(pair -> lines.add(pair[0] + " ".repeat(names - pair[0].length() + 2) + pair[1]));
            for (TextTable<?> table : tables) {
                lines.add("");
                lines.addAll(table.lines(true, colors, width));
            }
            if (!remarks.isEmpty()) {
                lines.add("");
                lines.addAll(remarks);
            }
            return lines;
        }
    }
}
