/** What a controller manager does beside an API server: empties namespaces, collects garbage, fills token secrets. */
@NullMarked
package io.osmhub.sim.controllers;

import org.jspecify.annotations.NullMarked;
