/** Every profile for every provider, Kubernetes version and variant that it serves, held against what reads it on a machine. */
@NullMarked
package io.osmhub.deploy.profiles.matrix;

import org.jspecify.annotations.NullMarked;
