/**
 * Kubernetes schemas: read from annotated records, written as CustomResourceDefinitions, and used to check an object
 * without an API server. One source, so that code, manifests and offline checks cannot disagree.
 */
@NullMarked
package io.osmhub.core.schema;

import org.jspecify.annotations.NullMarked;
