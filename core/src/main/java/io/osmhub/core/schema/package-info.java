/**
 * Schemas of CustomResourceDefinitions and of the configuration file, used to validate an object without an API server and to
 * describe it.
 */
@NullMarked
package io.osmhub.core.schema;

import org.jspecify.annotations.NullMarked;
