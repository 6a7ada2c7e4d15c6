/** The operations that only read: lists, single objects, the summary, problems, searches, and the stream of what changes. */
@NullMarked
package io.osmhub.api.rest;

import org.jspecify.annotations.NullMarked;
