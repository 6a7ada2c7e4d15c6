/** What the REST API says and hears, one record for each schema of its contract; the common currency of REST, console and command line. */
@NullMarked
package io.osmhub.api.schema;

import org.jspecify.annotations.NullMarked;
