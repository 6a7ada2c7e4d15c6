package io.osmhub.deploy.render;

import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.kkp.KkpKind;
import io.osmhub.core.kkp.KkpSettings;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.SourcePosition;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.deploy.config.InputError;
import io.osmhub.deploy.fleet.CommandFailure;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Settings from files with KKP's objects. */
public final class KkpFiles {
    private final RenderInputs inputs;
    private final List<String> files;
    private final Map<KkpKind, List<SourceDocument>> objects = new EnumMap<>(KkpKind.class);

    private KkpFiles(List<String> files, InputStream standardInput) {
        this.files = files;
        this.inputs = new RenderInputs(standardInput);
    }

    /**
     * Reads one Cluster, its Seed and the KubermaticConfiguration; other objects are ignored.
     *
     * @param files may contain several documents; {@code -} is standard input
     * @param accepted whether OSM must accept the arguments, as it must for settings
     * @throws CommandFailure with all errors
     */
    public static KkpSettings read(List<String> files, boolean accepted, InputStream standardInput) {
        KkpFiles reader = new KkpFiles(files, standardInput);
        KkpSettings settings = reader.settings(accepted);
        if (settings == null) {
            throw reader.inputs.failure("");
        }
        return settings;
    }

    /** Null after an error. */
    private @Nullable KkpSettings settings(boolean accepted) {
        for (String file : files) {
            List<SourceDocument> all = inputs.all(file);
            if (all != null) {
                all.forEach(source -> KkpKind.of(source)
                        .ifPresent(kind -> objects.computeIfAbsent(kind, each -> new ArrayList<>())
                                .add(source)));
            }
        }
        SourceDocument cluster = single(KkpKind.CLUSTER, true);
        SourceDocument configuration = single(KkpKind.CONFIGURATION, false);
        if (of(KkpKind.SEED).isEmpty()) {
            missing(KkpKind.SEED);
        }
        if (cluster == null || inputs.hasErrors()) {
            return null;
        }
        try {
            KkpSettings settings =
                    KkpSettings.read(cluster, of(KkpKind.SEED), configuration == null ? null : configuration);
            if (accepted) {
                settings.layer();
            }
            return settings;
        } catch (TenantMistake e) {
            e.findings().forEach(this::add);
            return null;
        }
    }

    private List<SourceDocument> of(KkpKind kind) {
        return objects.getOrDefault(kind, List.of());
    }

    private @Nullable SourceDocument single(KkpKind kind, boolean required) {
        List<SourceDocument> found = of(kind);
        if (found.size() > 1) {
            SourceDocument second = found.get(1);
            inputs.add(new InputError(
                    second.source().path(),
                    second.root().position(),
                    KkpKind.describe(second),
                    "ambiguous: the files contain "
                            + found.stream().map(KkpKind::describe).collect(Collectors.joining(", ")),
                    "use files with one " + kind.kind()));
        } else if (found.isEmpty() && required) {
            missing(kind);
        }
        return found.isEmpty() ? null : found.getFirst();
    }

    private void missing(KkpKind kind) {
        inputs.add(new InputError(
                files.stream().map(RenderInputs::nameOf).collect(Collectors.joining(", ")),
                "",
                "no " + kind.kind() + " of " + kind.group() + " found",
                "add a file that contains one"));
    }

    /** Adds a finding at the position of its object, which it names. */
    private void add(Problem finding) {
        SourceDocument source = objects.values().stream()
                .flatMap(List::stream)
                .filter(each -> KkpKind.describe(each).equals(finding.object().toString()))
                .findFirst()
                .orElse(null);
        inputs.add(new InputError(
                source == null
                        ? RenderInputs.nameOf(files.getFirst())
                        : source.source().path(),
                source == null ? SourcePosition.NONE : source.positionOf(finding),
                finding.object() + " " + finding.field(),
                finding.cause(),
                finding.fix()));
    }
}
