/**
 * Versions and the constraints on them, read as leniently as profiles have come to expect.
 *
 * <p>The rules are those of semantic versioning 2.0 with what the Go library Masterminds/semver 3.4.0 adds: a leading {@code v},
 * missing minor and patch numbers, and constraints with ranges, wildcards, tilde and caret. Error texts are that library's, as
 * templates may show them.
 */
@NullMarked
package io.osmhub.core.version;

import org.jspecify.annotations.NullMarked;
