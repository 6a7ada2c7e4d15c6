/** Common parts of the hub's kinds: metadata, conditions, name rules, and their CustomResourceDefinition. */
@NullMarked
package io.osmhub.core.resource;

import org.jspecify.annotations.NullMarked;
