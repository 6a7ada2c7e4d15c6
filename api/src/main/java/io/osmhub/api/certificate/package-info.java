/** The certificates that the hub serves with. */
@NullMarked
package io.osmhub.api.certificate;

import org.jspecify.annotations.NullMarked;
