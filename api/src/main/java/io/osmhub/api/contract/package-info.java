/** The contract of the API: which operations there are, and what a request and an answer have to look like. */
@NullMarked
package io.osmhub.api.contract;

import org.jspecify.annotations.NullMarked;
