/** The command line's reference, generated from code: settings, configuration, reasons, template functions. */
@NullMarked
package io.osmhub.deploy.explain;

import org.jspecify.annotations.NullMarked;
