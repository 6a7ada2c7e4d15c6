package io.osmhub.core.kkp;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourceDocument;
import java.util.Arrays;
import java.util.Optional;

/** The kinds of KKP that the hub reads. */
public enum KkpKind {
    CLUSTER("Cluster", "kubermatic.k8c.io"),
    SEED("Seed", "kubermatic.k8c.io"),
    CONFIGURATION("KubermaticConfiguration", "kubermatic.k8c.io"),
    CUSTOM_PROFILE("CustomOperatingSystemProfile", "operatingsystemmanager.k8c.io");

    private final String kind;
    private final String group;

    KkpKind(String kind, String group) {
        this.kind = kind;
        this.group = group;
    }

    public String kind() {
        return kind;
    }

    public String group() {
        return group;
    }

    /** The kind of an object; empty for objects of others, also for other groups' kinds of the same name. */
    public static Optional<KkpKind> of(SourceDocument document) {
        return Arrays.stream(values())
                .filter(each -> text(document, "kind").equals(each.kind)
                        && text(document, "apiVersion").startsWith(each.group + "/"))
                .findFirst();
    }

    /** The name of an object in messages: {@code Cluster abc}; the kind alone if it has no name. */
    public static String describe(SourceDocument document) {
        String kind = text(document, "kind");
        String name = text(document, "metadata.name");
        return (kind.isEmpty() ? document.source() : kind) + (name.isEmpty() ? "" : " " + name);
    }

    private static String text(SourceDocument document, String field) {
        return document.find(field) instanceof DocumentNode.Scalar scalar ? scalar.text() : "";
    }
}
