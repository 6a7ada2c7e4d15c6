/**
 * What is wrong with a profile before anybody uses it: its text, its templates, what they render to over every provider and
 * Kubernetes version it serves, and whether the machine can read that.
 */
@NullMarked
package io.osmhub.core.lint;

import org.jspecify.annotations.NullMarked;
