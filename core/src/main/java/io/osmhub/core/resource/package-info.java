/** What our kinds have in common: metadata, conditions, rules for names, and their CustomResourceDefinition. */
@NullMarked
package io.osmhub.core.resource;

import org.jspecify.annotations.NullMarked;
