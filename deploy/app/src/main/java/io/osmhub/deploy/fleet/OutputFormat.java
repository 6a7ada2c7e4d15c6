package io.osmhub.deploy.fleet;

/** Output formats. Constants are named as on the command line. */
public enum OutputFormat {
    table,
    /** A table with additional columns. */
    wide,
    /** The API's schemas as JSON. */
    json,
    /** The API's schemas as YAML. */
    yaml,
    /** {@code kind/name}, one per line. */
    name
}
