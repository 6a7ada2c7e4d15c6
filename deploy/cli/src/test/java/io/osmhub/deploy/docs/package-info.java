/** Tests of the handwritten documentation. */
@NullMarked
package io.osmhub.deploy.docs;

import org.jspecify.annotations.NullMarked;
