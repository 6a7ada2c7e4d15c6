/** Simulated controllers: garbage collection, namespaces, token secrets, and a machine-controller whose machines boot from their secrets. */
@NullMarked
package io.osmhub.sim.controllers;

import org.jspecify.annotations.NullMarked;
