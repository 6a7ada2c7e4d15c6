/** Which kinds a simulated API server serves, built in or defined by a CustomResourceDefinition. */
@NullMarked
package io.osmhub.sim.resource;

import org.jspecify.annotations.NullMarked;
