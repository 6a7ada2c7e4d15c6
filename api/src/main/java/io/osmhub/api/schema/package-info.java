/**
 * Records of the contract's schemas, shared by REST API, console and command line. They are plain values without checks of their own:
 * {@link io.osmhub.api.schema.ApiJson} rejects JSON without a required field, and the compiler a null in code.
 */
@NullMarked
package io.osmhub.api.schema;

import org.jspecify.annotations.NullMarked;
