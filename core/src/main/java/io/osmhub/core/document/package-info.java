/**
 * Handwritten documents: a tree with the line and column of each part, and readers that validate it.
 *
 * <p>Profiles, MachineDeployments and settings come as YAML files (command line) and as JSON trees (API server). Both become the
 * same tree, so that one decoder serves both, reports every mistake at once with its field, and a field of a file can be reported
 * as {@code file:line:column}.
 */
@NullMarked
package io.osmhub.core.document;

import org.jspecify.annotations.NullMarked;
