package io.osmhub.deploy.render;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.SourceText;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsReader;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.workercluster.WorkerCluster;
import io.osmhub.deploy.config.InputError;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A tenant's settings: the file's over OSM's flags over the defaults.
 *
 * @param source their document, with the settings as its root; null without a file
 * @param namespace of the WorkerCluster; empty if there is none
 */
record SettingsInput(Provisioning provisioning, @Nullable SourceText source, String namespace) {
    private static final String KIND = "WorkerCluster";
    private static final String NOT_FOUND = "SettingsReferenceNotFound";

    static SettingsInput read(
            @Nullable String file, SettingsLayer peerFlags, ManifestReader manifests, InputErrors mistakes) {
        SourceText source = file == null ? null : document(file, manifests, mistakes);
        if (source == null) {
            return new SettingsInput(provisioning(SettingsLayer.EMPTY, peerFlags), null, "");
        }
        String namespace = ManifestReader.kind(source).equals(KIND) ? source.text("metadata.namespace") : "";
        DocumentNode spec = source.document().find("spec");
        SourceText settings = ManifestReader.kind(source).equals(KIND) && spec != null
                ? new SourceText(new SourceDocument(source.document().source(), spec), source.lines())
                : source;
        SettingsLayer layer = SettingsLayer.EMPTY;
        List<ProblemFinding> unreadable = List.of();
        try {
            layer = SettingsReader.readFile(source.document());
        } catch (TenantMistake e) {
            unreadable = e.findings();
        }
        mistakes.add(source, unreadable);
        mistakes.add(settings, refusedByTheApiServer(settings.document(), unreadable));
        return new SettingsInput(provisioning(layer, peerFlags), settings, namespace);
    }

    /** What the API server would reject, except for fields already reported. */
    private static List<ProblemFinding> refusedByTheApiServer(SourceDocument settings, List<ProblemFinding> known) {
        Set<String> said = known.stream()
                .map(finding -> finding.field().replaceFirst("^spec\\.", ""))
                .collect(Collectors.toSet());
        List<ProblemFinding> findings = new ArrayList<>();
        for (ProblemFinding finding : WorkerCluster.checkSettings(SourceDocument.json(settings.root()))) {
            String field = finding.field().replaceFirst("^spec\\.", "");
            if (said.stream().noneMatch(other -> field.startsWith(other) || other.startsWith(field))) {
                findings.add(new ProblemFinding(finding.reason(), "", field, finding.what(), finding.cure()));
            }
        }
        return findings;
    }

    private static Provisioning provisioning(SettingsLayer tenant, SettingsLayer peerFlags) {
        return new LayeredSettings(tenant, peerFlags).toTenantSettings().provisioning();
    }

    private static @Nullable SourceText document(String file, ManifestReader manifests, InputErrors mistakes) {
        List<SourceText> all = manifests.all(file);
        if (all == null || all.isEmpty()) {
            return null;
        }
        List<SourceText> fitting = all.stream()
                .filter(source -> List.of(KIND, "").contains(ManifestReader.kind(source)))
                .toList();
        if (fitting.size() != 1) {
            mistakes.add(new InputError(
                    InputFiles.nameOf(file),
                    "",
                    fitting.isEmpty()
                            ? "contains no settings, but " + ManifestReader.kind(all.getFirst())
                            : "contains the settings of " + fitting.size() + " tenants",
                    "use one WorkerCluster, or only the fields of its spec"));
            return null;
        }
        return fitting.getFirst();
    }

    /** Reports an unresolved reference at its position in the settings. */
    void add(TenantMistake mistake, InputErrors mistakes) {
        for (ProblemFinding finding : mistake.findings()) {
            ProblemFinding mended = finding.reason().equals(NOT_FOUND)
                    ? new ProblemFinding(
                            NOT_FOUND,
                            finding.object(),
                            finding.field(),
                            finding.what(),
                            "add it with --objects or correct the reference")
                    : finding;
            if (source != null
                    && finding.object().isEmpty()
                    && source.document().find(finding.field()) != null) {
                mistakes.add(source, List.of(mended));
            } else {
                mistakes.add(
                        List.of(mended),
                        source == null ? OsmOptions.OPTION : source.document().source());
            }
        }
    }
}
