/** Output and actions of {@code hub cluster} and {@code hub install}: reports of worker clusters, objects to create and remove. */
@NullMarked
package io.osmhub.deploy.cluster;

import org.jspecify.annotations.NullMarked;
