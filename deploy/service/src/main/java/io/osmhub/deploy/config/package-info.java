/** The hub's configuration: merges file, environment and command line into one immutable value, or reports all errors. */
@NullMarked
package io.osmhub.deploy.config;

import org.jspecify.annotations.NullMarked;
