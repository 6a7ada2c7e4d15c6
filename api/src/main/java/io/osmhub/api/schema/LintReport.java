package io.osmhub.api.schema;

import java.util.List;

/**
 * All lint findings, errors before warnings.
 *
 * @param combinations number of renderings
 */
public record LintReport(int errors, int warnings, int combinations, List<Finding> findings) {}
