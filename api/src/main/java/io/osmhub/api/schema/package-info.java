/** Records of the contract's schemas, shared by REST API, console and command line. */
@NullMarked
package io.osmhub.api.schema;

import org.jspecify.annotations.NullMarked;
