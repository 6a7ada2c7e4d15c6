/**
 * How a machine joins: bootstrap token, kubelet bootstrap kubeconfig and the names of the objects that carry them, as
 * values. Time and randomness are passed in.
 */
@NullMarked
package io.osmhub.core.bootstrap;

import org.jspecify.annotations.NullMarked;
