/** Common parts of the hub's kinds: metadata, conditions, and their CustomResourceDefinitions. */
@NullMarked
package io.osmhub.core.resource;

import org.jspecify.annotations.NullMarked;
