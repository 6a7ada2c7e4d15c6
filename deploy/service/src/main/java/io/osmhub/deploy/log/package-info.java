/** Log line formats: one event per line with stable keys, as JSON for programs or as text for terminals. */
@NullMarked
package io.osmhub.deploy.log;

import org.jspecify.annotations.NullMarked;
