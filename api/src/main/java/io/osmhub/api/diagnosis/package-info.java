/** Why a node does not come: the chain from the profile to the machine, its first broken link and the cure; and the whole of one object. */
@NullMarked
package io.osmhub.api.diagnosis;

import org.jspecify.annotations.NullMarked;
