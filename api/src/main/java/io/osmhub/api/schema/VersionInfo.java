package io.osmhub.api.schema;

/**
 * The version of a program, with the field names of Kubernetes.
 *
 * @param gitCommit revision that it was built from
 * @param javaVersion feature release of the Java that runs it
 */
public record VersionInfo(String gitVersion, String gitCommit, String javaVersion) {}
