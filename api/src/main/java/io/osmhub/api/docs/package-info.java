/** The project's documents and the contract as pages to read in a browser, rendered on the server. */
@NullMarked
package io.osmhub.api.docs;

import org.jspecify.annotations.NullMarked;
