/**
 * Explains why nodes do not join: the chain from the profile to the machine, its first broken link and the fix; and details of single
 * objects.
 */
@NullMarked
package io.osmhub.api.diagnosis;

import org.jspecify.annotations.NullMarked;
