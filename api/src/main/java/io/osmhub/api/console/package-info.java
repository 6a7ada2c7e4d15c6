/**
 * The web console: pages rendered on the server from the API's records, never treating cluster text as markup; a small script keeps
 * them live.
 */
@NullMarked
package io.osmhub.api.console;

import org.jspecify.annotations.NullMarked;
