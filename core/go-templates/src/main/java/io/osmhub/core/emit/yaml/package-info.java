/**
 * YAML as Go's {@code yaml.v3} and {@code sigs.k8s.io/yaml} write and read it.
 *
 * <p>Both libraries descend from libyaml, whose layout, line breaks, quirks and error texts differ from what the YAML libraries
 * for Java do; profiles and bootstrap documents depend on them to the byte. So writer and reader are our own.
 */
@NullMarked
package io.osmhub.core.emit.yaml;

import org.jspecify.annotations.NullMarked;
