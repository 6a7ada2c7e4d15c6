/** The hub's CustomResourceDefinitions: their installation, and what stored objects need before they change. */
@NullMarked
package io.osmhub.tenancy.crds;

import org.jspecify.annotations.NullMarked;
