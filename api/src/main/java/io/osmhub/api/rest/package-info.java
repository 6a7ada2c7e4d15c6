/** Read-only operations: lists, single objects, the summary, problems, searches and the event stream. */
@NullMarked
package io.osmhub.api.rest;

import org.jspecify.annotations.NullMarked;
