package io.osmhub.deploy.view;

import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.Finding;
import io.osmhub.api.schema.MachineDeployment;
import io.osmhub.api.schema.MachineDeploymentDetail;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.OscDetail;
import io.osmhub.api.schema.Osp;
import io.osmhub.api.schema.OspDetail;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.Source;
import io.osmhub.api.schema.WorkerCluster;
import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.ProblemSeverity;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.deploy.fleet.Spans;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.fleet.TextTable.Cell;
import io.osmhub.deploy.fleet.TextTable.Column;
import io.osmhub.deploy.fleet.Tone;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Single objects of the fleet, described for people. Pure but for the clock that is given. */
public final class Descriptions {
    private static final String STORED =
            "Told from what is stored; a hub (--server) also knows machines, tokens and the connection.";

    private final Moments moments;
    private final Sections sections;
    private final boolean colors;
    private final int width;

    /** @param width of the terminal; 0 for any */
    public Descriptions(Moments moments, boolean colors, int width) {
        this.moments = moments;
        this.sections = new Sections(moments);
        this.colors = colors;
        this.width = width;
    }

    // Worker clusters

    /** @param problems open ones of its tenant */
    public List<String> of(WorkerCluster cluster, List<ProblemEntry> problems) {
        WorkerClusterStatus status = cluster.status();
        Condition ready = Words.condition(status.conditions(), "Ready").orElse(null);
        String reason = ready == null || ready.status() == Condition.Status.TRUE ? "" : ": " + ready.reason();
        Description told = new Description()
                .say(
                        "WorkerCluster",
                        cluster.metadata().namespace() + "/"
                                + cluster.metadata().name())
                .say("State", ApiJson.word(cluster.state()) + reason)
                .say("API server", joined(status.endpoint(), status.kubernetesVersion()))
                .say("Credential", credential(status))
                .say("MachineDeployments", counts(status))
                .say("Last change", since(Words.time(status.lastSyncTime())))
                .say(
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
        return one == null ? Words.text(other) : other == null ? one : one + ", " + other;
    }

    private String credential(WorkerClusterStatus status) {
        Instant end = Words.time(status.credentialsExpireAt());
        String kind = status.credentialsKind() == null ? "" : ApiJson.word(status.credentialsKind());
        String left = Spans.until(end, moments.now());
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
        return moment == null ? "" : Spans.since(moment, moments.now()) + " ago";
    }

    // MachineDeployments

    public List<String> of(MachineDeploymentDetail detail) {
        MachineDeployment one = detail.machineDeployment();
        Source published = detail.published();
        Source wanted = detail.wanted() == null ? published : detail.wanted();
        Description told = new Description()
                .say(
                        "MachineDeployment",
                        one.namespace() + "/" + one.name() + " of " + one.tenant() + "/" + one.workerCluster())
                .say("New nodes", newNodes(one))
                .say("Profile", profile(one, wanted))
                .say("Provider, kubelet", provider(one));
        told.add(Sections.sources(wanted, published, one));
        Sections.sizes(told, detail.sizes());
        sections.problems(told, detail.problems());
        sections.history(told, detail.history());
        if (Boolean.TRUE.equals(one.stale())) {
            told.remark(STORED);
        }
        return told.lines(colors, width);
    }

    private String newNodes(MachineDeployment one) {
        String said = ApiJson.word(one.newNodes());
        if (one.reason() == null) {
            return said;
        }
        String age = one.since() == null ? "" : " for " + Words.age(Duration.between(one.since(), moments.now()));
        return said + age + ": " + one.reason().word();
    }

    private static String profile(MachineDeployment one, @Nullable Source wanted) {
        if (wanted == null || wanted.profile() == null) {
            return Words.text(one.profile());
        }
        return wanted.profile() + version(wanted.profileVersion()) + engine(wanted.templateEngine());
    }

    private static String version(@Nullable String version) {
        return version == null || version.isEmpty() ? "" : " " + version;
    }

    private static String engine(@Nullable TemplateLanguage engine) {
        return engine == null ? "" : " (" + engine.wireName().toLowerCase(Locale.ROOT) + ")";
    }

    private static String provider(MachineDeployment one) {
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
        Source source = one.source();
        Source wanted = detail.wanted();
        Description told = new Description()
                .say(
                        "OperatingSystemConfig",
                        one.metadata().namespace() + "/" + one.metadata().name())
                .say(
                        "MachineDeployment",
                        Words.text(one.machineDeployment().namespace()) + "/"
                                + one.machineDeployment().name()
                                + (one.workerCluster() == null ? "" : " of " + one.workerCluster()))
                .say("New nodes", ApiJson.word(one.newNodes()))
                .say("Made from", source == null ? "" : madeFrom(source))
                .say("Wanted", wanted == null ? "" : madeFrom(wanted))
                .say("Made", source == null || source.renderedAt() == null ? "" : moments.of(source.renderedAt()))
                .say("Because", source == null ? "" : Words.text(source.because()))
                .say("Bootstrap token", token(detail));
        sections.conditions(told, one.conditions());
        Sections.sizes(told, detail.sizes());
        Sections.secrets(told, detail.secrets());
        sections.history(told, detail.history());
        if (Boolean.TRUE.equals(detail.stale())) {
            told.remark(STORED);
        }
        return told.lines(colors, width);
    }

    private static String madeFrom(Source source) {
        String revision = Words.text(source.machineDeploymentRevision());
        return Words.text(source.profile()) + version(source.profileVersion())
                + (revision.isEmpty() ? "" : ", revision " + revision)
                + ", settings " + Words.hash(source.settingsHash()) + ", content " + Words.hash(source.contentHash());
    }

    private String token(OscDetail detail) {
        if (detail.tokenExpiresAt() == null) {
            return Boolean.TRUE.equals(detail.stale()) ? "?" : "";
        }
        String left = Spans.until(detail.tokenExpiresAt(), moments.now());
        return left.equals("ended") ? left : left + " left";
    }

    // Profiles

    public List<String> of(OspDetail detail) {
        Osp one = detail.profile();
        Condition valid = one.valid();
        boolean good = valid.status() == Condition.Status.TRUE;
        Description told = new Description()
                .say(
                        "OperatingSystemProfile",
                        one.metadata().namespace() + "/" + one.metadata().name() + version(one.version())
                                + engine(one.templateEngine()))
                .say(
                        "Operating system",
                        one.osName()
                                + version(one.osVersion())
                                + (one.provisioningUtility() == null
                                        ? ""
                                        : ", " + ApiJson.word(one.provisioningUtility())))
                .say(
                        "Providers",
                        one.supportedCloudProviders() == null ? "" : String.join(", ", one.supportedCloudProviders()))
                .say("Kubernetes", Words.text(one.supportedKubernetesVersions()))
                .say(
                        "Used by",
                        Words.counted(one.usedBy().machineDeployments(), "MachineDeployment") + " in "
                                + Words.counted(one.usedBy().workerClusters(), "worker cluster"))
                .say(
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
        TextTable table = new TextTable(
                List.of(Column.text("DOCUMENT"), Column.text("MODE"), Column.number("TEMPLATE"), Column.text("FILE")));
        for (OspDetail.File file : files) {
            table.add(List.of(
                    Cell.of(ApiJson.word(file.document()).toLowerCase(Locale.ROOT)),
                    Cell.of(Words.text(file.permissions())),
                    Cell.of(file.templateBytes() == null ? "" : Words.bytes(file.templateBytes())),
                    Cell.of(file.path())));
        }
        told.add(table);
    }

    private static void findings(Description told, List<Finding> findings) {
        if (findings.isEmpty()) {
            return;
        }
        TextTable table = new TextTable(
                List.of(Column.text("SEVERITY"), Column.text("RULE"), Column.text("FIELD"), Column.text("MESSAGE")));
        for (Finding finding : findings) {
            table.add(List.of(
                    new Cell(
                            ApiJson.word(finding.severity()),
                            finding.severity() == ProblemSeverity.ERROR ? Tone.BAD : Tone.WARNING),
                    Cell.of(finding.rule()),
                    Cell.of(Words.text(finding.field())),
                    Cell.of(finding.message() + (finding.cure() == null ? "" : "; " + finding.cure()))));
        }
        told.add(table);
    }
}
