/** The CustomResourceDefinitions that the hub brings with it: which they are and when they are installed. */
@NullMarked
package io.osmhub.tenancy.crds;

import org.jspecify.annotations.NullMarked;
