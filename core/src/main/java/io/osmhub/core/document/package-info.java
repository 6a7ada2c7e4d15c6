/**
 * Documents as people write them: a tree that knows the line and column of each part, and readers that check it.
 *
 * <p>Profiles, MachineDeployments and settings come as YAML files (command line) and as JSON trees (API server). Both become
 * the same tree, so one decoder serves both, reports every mistake at once and names the field of each. Whoever has a file
 * turns a field into {@code file:line:column}.
 */
@NullMarked
package io.osmhub.core.document;

import org.jspecify.annotations.NullMarked;
