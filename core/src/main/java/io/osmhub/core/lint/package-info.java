/**
 * Checks a profile: its text, its templates, what they render to over every supported provider and Kubernetes version, and whether
 * the machine can read that.
 */
@NullMarked
package io.osmhub.core.lint;

import org.jspecify.annotations.NullMarked;
