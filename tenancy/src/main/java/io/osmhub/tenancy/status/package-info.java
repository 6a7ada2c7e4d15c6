/** The lane on which statuses reach the management cluster: the latest of each object, when it differs, when there is time. */
@NullMarked
package io.osmhub.tenancy.status;

import org.jspecify.annotations.NullMarked;
