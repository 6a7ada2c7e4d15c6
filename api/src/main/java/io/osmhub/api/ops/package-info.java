/** What whoever runs the hub asks it: is it alive, is it ready, what does it measure. */
@NullMarked
package io.osmhub.api.ops;

import org.jspecify.annotations.NullMarked;
