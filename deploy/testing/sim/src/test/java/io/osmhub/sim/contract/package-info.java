/** What a Kubernetes API server does, as tests over plain HTTP that the simulator and a real server are both held to. */
@NullMarked
package io.osmhub.sim.contract;

import org.jspecify.annotations.NullMarked;
