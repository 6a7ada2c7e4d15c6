/**
 * Versions and constraints, parsed as leniently as profiles expect.
 *
 * <p>The rules are those of semantic versioning 2.0 with the additions of the Go library Masterminds/semver 3.4.0: a leading {@code
 * v}, missing minor and patch numbers, and constraints with ranges, wildcards, tilde and caret. Error messages are that library's,
 * as templates may show them.
 */
@NullMarked
package io.osmhub.core.version;

import org.jspecify.annotations.NullMarked;
