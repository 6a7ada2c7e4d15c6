/** Identities and small values that every module uses. */
@NullMarked
package io.osmhub.core.model;

import org.jspecify.annotations.NullMarked;
