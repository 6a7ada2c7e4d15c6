/**
 * Kubernetes schemas: read from annotated records, written as CustomResourceDefinitions, and used to validate an object without an
 * API server. Code, manifests and offline checks share this single source.
 */
@NullMarked
package io.osmhub.core.schema;

import org.jspecify.annotations.NullMarked;
