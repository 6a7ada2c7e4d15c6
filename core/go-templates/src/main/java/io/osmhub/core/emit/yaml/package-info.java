/**
 * YAML as Go's {@code yaml.v3} and {@code sigs.k8s.io/yaml} write and read it.
 *
 * <p>Both libraries descend from libyaml, whose layout and line breaks differ from what the YAML libraries for Java write;
 * profiles and bootstrap documents depend on them to the byte. So the writer is our own; the parser is snakeyaml-engine.
 */
@NullMarked
package io.osmhub.core.emit.yaml;

import org.jspecify.annotations.NullMarked;
