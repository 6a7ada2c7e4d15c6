/** Rendering from files without a cluster: reads and checks all inputs, renders, and writes all results or none. */
@NullMarked
package io.osmhub.deploy.render;

import org.jspecify.annotations.NullMarked;
