package io.osmhub.core.kkp;

import io.osmhub.core.document.SourceDocument;
import java.util.Arrays;
import java.util.Optional;

/** The kinds of KKP that the hub reads. */
public enum KkpKind {
    CLUSTER("Cluster"),
    SEED("Seed"),
    CONFIGURATION("KubermaticConfiguration");

    private static final String GROUP = "kubermatic.k8c.io";

    private final String kind;

    KkpKind(String kind) {
        this.kind = kind;
    }

    public String kind() {
        return kind;
    }

    public String group() {
        return GROUP;
    }

    /** The kind of an object; empty for objects of others, also for other groups' kinds of the same name. */
    public static Optional<KkpKind> of(SourceDocument document) {
        return Arrays.stream(values())
                .filter(each -> document.text("kind").equals(each.kind)
                        && document.text("apiVersion").startsWith(GROUP + "/"))
                .findFirst();
    }

    /** The name of an object in messages: {@code Cluster abc}; the kind alone if it has no name. */
    public static String describe(SourceDocument document) {
        String kind = document.text("kind");
        String name = document.text("metadata.name");
        return (kind.isEmpty() ? document.source().toString() : kind) + (name.isEmpty() ? "" : " " + name);
    }
}
