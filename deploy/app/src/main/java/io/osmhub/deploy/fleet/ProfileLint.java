package io.osmhub.deploy.fleet;

import io.osmhub.api.schema.LintReport;

/** What the linter says of one stored profile. */
public sealed interface ProfileLint {
    /** Said by the hub. */
    record Said(LintReport report) implements ProfileLint {}

    /** The profile itself as JSON, to be linted here. */
    record Text(String json) implements ProfileLint {}
}
