/** Rendering from files without a cluster: reads and checks all inputs, and renders. */
@NullMarked
package io.osmhub.deploy.render;

import org.jspecify.annotations.NullMarked;
