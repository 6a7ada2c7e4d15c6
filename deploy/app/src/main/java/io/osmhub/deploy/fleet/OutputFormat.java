package io.osmhub.deploy.fleet;

/** How a result is printed. Constants are named as on the command line. */
public enum OutputFormat {
    table,
    /** A table with more columns. */
    wide,
    /** The API's schemas. */
    json,
    /** The same as YAML. */
    yaml,
    /** {@code kind/name}, one a line. */
    name
}
