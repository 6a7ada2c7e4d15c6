/** The contract of the API: its operations, and the form of requests and responses. */
@NullMarked
package io.osmhub.api.contract;

import org.jspecify.annotations.NullMarked;
