/** From found to desired state: the changes in a safe order, each with its reason. Pure. */
@NullMarked
package io.osmhub.core.plan;

import org.jspecify.annotations.NullMarked;
