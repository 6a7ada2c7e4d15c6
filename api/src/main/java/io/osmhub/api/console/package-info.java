/**
 * The web console: pages rendered on the server from the records of the API, with nothing from a cluster ever taken for markup; a
 * small script keeps their figures live.
 */
@NullMarked
package io.osmhub.api.console;

import org.jspecify.annotations.NullMarked;
