package io.osmhub.api.schema;

/** A profile as YAML for editing. */
public record OspSource(String text) {}
