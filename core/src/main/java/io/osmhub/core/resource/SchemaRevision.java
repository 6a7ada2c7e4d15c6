package io.osmhub.core.resource;

/** Revision of the hub's CustomResourceDefinitions, to detect older ones. */
public final class SchemaRevision {
    /** Annotation that marks a definition as the hub's, with its revision. */
    public static final String ANNOTATION = "osmhub.io/schema-revision";

    /** Incremented with each change of a schema. */
    public static final int CURRENT = 8;

    private SchemaRevision() {}
}
