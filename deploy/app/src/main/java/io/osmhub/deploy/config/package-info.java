/** The hub's configuration: from file, environment and command line into one immutable value, or all that is wrong with it at once. */
@NullMarked
package io.osmhub.deploy.config;

import org.jspecify.annotations.NullMarked;
