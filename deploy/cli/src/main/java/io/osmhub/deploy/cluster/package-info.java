/** Actions of {@code hub cluster} and {@code hub install}: objects to create and remove. */
@NullMarked
package io.osmhub.deploy.cluster;

import org.jspecify.annotations.NullMarked;
