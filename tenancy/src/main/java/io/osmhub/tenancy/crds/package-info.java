/** The hub's CustomResourceDefinitions and their installation. */
@NullMarked
package io.osmhub.tenancy.crds;

import org.jspecify.annotations.NullMarked;
