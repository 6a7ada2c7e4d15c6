/** Identities and small values that every module knows. */
@NullMarked
package io.osmhub.core.model;

import org.jspecify.annotations.NullMarked;
