/** Rendering from files, without a cluster: reads and checks everything, renders, and writes all of the results or none. */
@NullMarked
package io.osmhub.deploy.render;

import org.jspecify.annotations.NullMarked;
