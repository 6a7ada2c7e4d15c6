package io.osmhub.deploy.view;

import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.ConfigurationSource;
import io.osmhub.api.schema.Finding;
import io.osmhub.api.schema.MachineDeploymentDetail;
import io.osmhub.api.schema.MachineDeploymentEntry;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.OscDetail;
import io.osmhub.api.schema.Osp;
import io.osmhub.api.schema.OspDetail;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.ProblemSeverity;
import io.osmhub.core.template.language.TemplateLanguage;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.deploy.fleet.HumanDuration;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.fleet.TextTable.CellStyle;
import io.osmhub.deploy.fleet.TextTable.TextTableCell;
import io.osmhub.deploy.fleet.TextTable.TextTableColumn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Describes single objects of the fleet. Pure except for the given clock. */
public final class ObjectDescriber {
    private static final String STORED =
            "Based on stored state: the replica that responded does not serve this tenant.";

    private final TimestampFormatter moments;
    private final DescriptionSections sections;
    private final boolean colors;
    private final int width;

    /** @param width of the terminal; 0 if unlimited */
    public ObjectDescriber(TimestampFormatter moments, boolean colors, int width) {
        this.moments = moments;
        this.sections = new DescriptionSections(moments);
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
                .addField("Credential", credential(status))
                .addField("MachineDeployments", counts(status))
                .addField("Last change", since(ValueFormatter.time(status.lastSyncTime())))
                .addField(
                        "Registered",
                        since(cluster.metadata().createdAt())
                                + (cluster.registeredBy() == null
                                        ? ""
                                        : ", by " + ApiJson.word(cluster.registeredBy())));
        sections.conditions(told, status.conditions());
        sections.problems(told, problems);
        return told.lines(colors, width);
    }

    private static String joined(@Nullable String one, @Nullable String other) {
        return one == null ? ValueFormatter.text(other) : other == null ? one : one + ", " + other;
    }

    private String credential(WorkerClusterStatus status) {
        Instant end = ValueFormatter.time(status.credentialsExpireAt());
        String kind = status.credentialsKind() == null ? "" : ApiJson.word(status.credentialsKind());
        String left = HumanDuration.until(end, moments.now());
        String ends = left.isEmpty() ? "" : left.equals("ended") ? "ended" : "ends in " + left;
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
        told.addTable(DescriptionSections.sources(wanted, published, one));
        DescriptionSections.sizes(told, detail.sizes());
        sections.problems(told, detail.problems());
        sections.history(told, detail.history());
        if (Boolean.TRUE.equals(one.stale())) {
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
        return parts.isEmpty() && Boolean.TRUE.equals(one.stale()) ? "?" : String.join(", ", parts);
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
                        "Made",
                        source == null || source.renderedAt() == null ? "" : moments.format(source.renderedAt()))
                .addField("Because", source == null ? "" : ValueFormatter.text(source.because()))
                .addField("Bootstrap token", token(detail));
        sections.conditions(told, one.conditions());
        DescriptionSections.sizes(told, detail.sizes());
        DescriptionSections.secrets(told, detail.secrets());
        sections.history(told, detail.history());
        if (Boolean.TRUE.equals(detail.stale())) {
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
            return Boolean.TRUE.equals(detail.stale()) ? "?" : "";
        }
        String left = HumanDuration.until(detail.tokenExpiresAt(), moments.now());
        return left.equals("ended") ? left : left + " left";
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
        files(told, detail.files());
        findings(told, detail.findings());
        return told.lines(colors, width);
    }

    private static void files(Description told, List<OspDetail.File> files) {
        if (files.isEmpty()) {
            return;
        }
        TextTable table = new TextTable(List.of(
                TextTableColumn.text("DOCUMENT"),
                TextTableColumn.text("MODE"),
                TextTableColumn.number("TEMPLATE"),
                TextTableColumn.text("FILE")));
        for (OspDetail.File file : files) {
            table.add(List.of(
                    TextTableCell.of(ApiJson.word(file.document()).toLowerCase(Locale.ROOT)),
                    TextTableCell.of(ValueFormatter.text(file.permissions())),
                    TextTableCell.of(file.templateBytes() == null ? "" : ValueFormatter.bytes(file.templateBytes())),
                    TextTableCell.of(file.path())));
        }
        told.addTable(table);
    }

    private static void findings(Description told, List<Finding> findings) {
        if (findings.isEmpty()) {
            return;
        }
        TextTable table = new TextTable(List.of(
                TextTableColumn.text("SEVERITY"),
                TextTableColumn.text("RULE"),
                TextTableColumn.text("FIELD"),
                TextTableColumn.text("MESSAGE")));
        for (Finding finding : findings) {
            table.add(List.of(
                    new TextTableCell(
                            ApiJson.word(finding.severity()),
                            finding.severity() == ProblemSeverity.ERROR ? CellStyle.BAD : CellStyle.WARNING),
                    TextTableCell.of(finding.rule()),
                    TextTableCell.of(ValueFormatter.text(finding.field())),
                    TextTableCell.of(finding.message() + (finding.cure() == null ? "" : "; " + finding.cure()))));
        }
        told.addTable(table);
    }
}
