/** The reference that the command line prints from code: settings, reasons, template functions. */
@NullMarked
package io.osmhub.deploy.explain;

import org.jspecify.annotations.NullMarked;
