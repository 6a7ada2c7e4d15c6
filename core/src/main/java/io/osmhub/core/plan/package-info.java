/** From what is found to what is wanted: the changes in the order in which they are safe, each with its reason. Pure. */
@NullMarked
package io.osmhub.core.plan;

import org.jspecify.annotations.NullMarked;
