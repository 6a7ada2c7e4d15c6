package io.osmhub.deploy.fleet;

import io.osmhub.api.schema.LintReport;

/** The lint result of a stored profile. */
public sealed interface ProfileLintResult {
    /** The hub's report. */
    record HubReport(LintReport report) implements ProfileLintResult {}

    /** The profile as JSON, to be linted locally. */
    record ProfileText(String json) implements ProfileLintResult {}
}
