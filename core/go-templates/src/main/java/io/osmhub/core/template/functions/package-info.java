/**
 * The functions of sprig 3.3.0's text map and OSM's, one class per family, each function with its Go type, so that a profile for Go
 * templates prints the same text. What is not supported is refused by name.
 *
 * <p>Two rules apply to all of them. They access only {@link io.osmhub.core.golang.ExecutionEnvironment}: no clock, random source,
 * process environment or network. And nothing large is started before it is charged there, so that no template can exhaust memory
 * or time.
 */
@NullMarked
package io.osmhub.core.template.functions;

import org.jspecify.annotations.NullMarked;
