package io.osmhub.deploy.render;

import io.osmhub.core.document.Document;
import io.osmhub.core.document.Node;
import io.osmhub.core.document.SourceText;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.EffectiveSettings;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsReader;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.workercluster.WorkerCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A tenant's settings: from a file over those from the peer's flags over the defaults.
 *
 * @param source the document that they stand in, with the settings as its root; null without a file
 * @param namespace that a WorkerCluster names; empty otherwise
 */
record SettingsInput(Provisioning provisioning, @Nullable SourceText source, String namespace) {
    private static final String KIND = "WorkerCluster";
    private static final String NOT_FOUND = "SettingsReferenceNotFound";

    static SettingsInput read(@Nullable String file, SettingsLayer peerFlags, Manifests manifests, Mistakes mistakes) {
        SourceText source = file == null ? null : document(file, manifests, mistakes);
        if (source == null) {
            return new SettingsInput(provisioning(SettingsLayer.EMPTY, peerFlags), null, "");
        }
        String namespace = Manifests.kind(source).equals(KIND) ? source.text("metadata.namespace") : "";
        Node spec = source.document().find("spec");
        SourceText settings = Manifests.kind(source).equals(KIND) && spec != null
                ? new SourceText(new Document(source.document().source(), spec), source.lines())
                : source;
        SettingsLayer layer = SettingsLayer.EMPTY;
        List<Finding> unreadable = List.of();
        try {
            layer = SettingsReader.readFile(source.document());
        } catch (TenantMistake e) {
            unreadable = e.findings();
        }
        mistakes.add(source, unreadable);
        mistakes.add(settings, refusedByTheApiServer(settings.document(), unreadable));
        return new SettingsInput(provisioning(layer, peerFlags), settings, namespace);
    }

    /** What the API server would refuse, but for fields that are said to be wrong already. */
    private static List<Finding> refusedByTheApiServer(Document settings, List<Finding> known) {
        Set<String> said = known.stream()
                .map(finding -> finding.field().replaceFirst("^spec\\.", ""))
                .collect(Collectors.toSet());
        List<Finding> findings = new ArrayList<>();
        for (Finding finding : WorkerCluster.checkSettings(Document.json(settings.root()))) {
            String field = finding.field().replaceFirst("^spec\\.", "");
            if (said.stream().noneMatch(other -> field.startsWith(other) || other.startsWith(field))) {
                findings.add(new Finding(finding.reason(), "", field, finding.what(), finding.cure()));
            }
        }
        return findings;
    }

    private static Provisioning provisioning(SettingsLayer tenant, SettingsLayer peerFlags) {
        return new EffectiveSettings(tenant, peerFlags).settings().provisioning();
    }

    private static @Nullable SourceText document(String file, Manifests manifests, Mistakes mistakes) {
        List<SourceText> all = manifests.all(file);
        if (all == null || all.isEmpty()) {
            return null;
        }
        List<SourceText> fitting = all.stream()
                .filter(source -> List.of(KIND, "").contains(Manifests.kind(source)))
                .toList();
        if (fitting.size() != 1) {
            mistakes.add(new Mistake(
                    InputFiles.nameOf(file),
                    "",
                    fitting.isEmpty()
                            ? "holds no settings, but " + Manifests.kind(all.getFirst())
                            : "holds the settings of " + fitting.size() + " tenants",
                    "give one WorkerCluster, or the fields of its spec alone"));
            return null;
        }
        return fitting.getFirst();
    }

    /** Says what is wrong with what the settings refer to, at the line that refers to it. */
    void add(TenantMistake mistake, Mistakes mistakes) {
        for (Finding finding : mistake.findings()) {
            Finding mended = finding.reason().equals(NOT_FOUND)
                    ? new Finding(
                            NOT_FOUND,
                            finding.object(),
                            finding.field(),
                            finding.what(),
                            "give it with --objects, or correct the reference")
                    : finding;
            if (source != null
                    && finding.object().isEmpty()
                    && source.document().find(finding.field()) != null) {
                mistakes.add(source, List.of(mended));
            } else {
                mistakes.add(
                        List.of(mended),
                        source == null ? PeerOptions.OPTION : source.document().source());
            }
        }
    }
}
