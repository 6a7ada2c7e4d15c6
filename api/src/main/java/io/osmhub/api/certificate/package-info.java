/** The hub's serving certificates. */
@NullMarked
package io.osmhub.api.certificate;

import org.jspecify.annotations.NullMarked;
