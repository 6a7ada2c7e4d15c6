/**
 * The functions of sprig 3.3.0's text map, one class for each family, each function with its Go signature, so that a profile
 * written for Go templates prints the same text and fails with the same words.
 *
 * <p>Two rules apply to all of them. Nothing is reached outside of {@link io.osmhub.core.golang.Environment}: there is no
 * process environment and no network. And nothing large is begun before it is charged there, so that no template can exhaust
 * memory or time.
 */
@NullMarked
package io.osmhub.core.template.sprig;

import org.jspecify.annotations.NullMarked;
