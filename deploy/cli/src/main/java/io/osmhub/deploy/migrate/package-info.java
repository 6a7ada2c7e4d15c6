/** Migration from Operating System Manager (OSM): what the hub would serve and write, the takeover, and the return. */
@NullMarked
package io.osmhub.deploy.migrate;

import org.jspecify.annotations.NullMarked;
