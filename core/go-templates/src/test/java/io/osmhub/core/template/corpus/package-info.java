/**
 * Runs the conformance corpora: files of cases with the result that Go gave. Shared by the tests and by the command that runs
 * such a file for a contributor.
 */
@NullMarked
package io.osmhub.core.template.corpus;

import org.jspecify.annotations.NullMarked;
