/** What {@code hub lint} needs beside the linter: files, the shell of this machine, and the forms of its report. */
@NullMarked
package io.osmhub.deploy.lint;

import org.jspecify.annotations.NullMarked;
