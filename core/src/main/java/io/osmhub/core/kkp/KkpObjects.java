package io.osmhub.core.kkp;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.ObjectFieldReader;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.SourcePosition;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.SettingsLayer.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The KKP objects that determine the settings of one user cluster: its Cluster, the datacenter of the Seed that the Cluster names,
 * that Seed, and the KubermaticConfiguration. Wrong types are collected as findings, like all other mistakes.
 */
final class KkpObjects {
    /** An object, or a part of one, with its name in messages. */
    record Part(String object, ObjectFieldReader fields) {
        Part at(String field) {
            return new Part(object, fields.objectOrEmpty(field));
        }

        Origin origin(String field) {
            return new Origin(object, fields.path(field));
        }

        /** A text; empty if left out. */
        String text(String field) {
            return fields.text(field, "");
        }

        boolean bool(String field) {
            return fields.bool(field, false);
        }
    }

    private final List<FindingsCollector> collectors = new ArrayList<>();
    private final FindingsCollector mistakes;
    private final Part cluster;
    private final Part seed;
    private final Part datacenter;
    private final Part configuration;

    /**
     * @param seeds all Seeds; the one with the Cluster's datacenter is used
     * @param configuration null for an empty one
     */
    KkpObjects(SourceDocument cluster, List<SourceDocument> seeds, @Nullable SourceDocument configuration) {
        this.cluster = part(cluster);
        this.mistakes = this.cluster.fields().mistakes();
        this.configuration = part(
                configuration == null
                        ? new SourceDocument(
                                KkpKind.CONFIGURATION.kind(), new DocumentNode.Fields(List.of(), SourcePosition.NONE))
                        : configuration);
        List<Part> all = seeds.stream().map(this::part).toList();
        String name = this.cluster.at("spec").at("cloud").text("dc");
        List<Part> fitting = all.stream()
                .filter(each -> each.at("spec").at("datacenters").fields().has(name))
                .toList();
        if (fitting.size() != 1) {
            reportDatacenter(name, all, fitting);
        }
        if (!fitting.isEmpty()) {
            // Mistakes of other Seeds do not matter to this Cluster.
            all.stream()
                    .filter(each -> !fitting.contains(each))
                    .forEach(each -> collectors.remove(each.fields().mistakes()));
        }
        this.seed = fitting.isEmpty()
                ? part(new SourceDocument(KkpKind.SEED.kind(), new DocumentNode.Fields(List.of(), SourcePosition.NONE)))
                : fitting.getFirst();
        this.datacenter = seed.at("spec").at("datacenters").at(name);
    }

    private Part part(SourceDocument document) {
        String object = KkpKind.describe(document);
        FindingsCollector collector = new FindingsCollector(object, Reason.SettingsInvalid.wireName());
        collectors.add(collector);
        return new Part(
                object, ObjectFieldReader.of(document.root(), "", collector).lenient());
    }

    private void reportDatacenter(String name, List<Part> seeds, List<Part> fitting) {
        String field = "spec.cloud.dc";
        if (fitting.size() > 1) {
            mistakes.add(
                    field,
                    "datacenter " + name + " is ambiguous: it is in " + names(fitting),
                    "keep it in the Seed of this Cluster only");
        } else if (name.isEmpty()) {
            mistakes.add(field, "datacenter missing: the field is empty", "set it to a datacenter of a Seed");
        } else {
            mistakes.add(
                    field,
                    "datacenter missing: " + name + " is not in spec.datacenters of "
                            + (seeds.isEmpty() ? "a Seed, there is none" : names(seeds)),
                    "correct the name, or add the datacenter to the Seed");
        }
    }

    private static String names(List<Part> parts) {
        return parts.stream().map(Part::object).collect(Collectors.joining(" and "));
    }

    Part cluster() {
        return cluster;
    }

    Part seed() {
        return seed;
    }

    /** The entry of the Seed's {@code spec.datacenters}. */
    Part datacenter() {
        return datacenter;
    }

    Part configuration() {
        return configuration;
    }

    /** Adds a mistake of the Cluster. */
    void mistake(String field, String what, String cure) {
        mistakes.add(field, what, cure);
    }

    /** All mistakes, the Cluster's first. */
    List<ProblemFinding> findings() {
        return collectors.stream()
                .flatMap(collector -> collector.findings().stream())
                .distinct()
                .toList();
    }
}
