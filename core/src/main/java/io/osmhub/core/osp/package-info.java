/** OperatingSystemProfile: the template of a machine's configuration, its validation, and which OS and utility it serves. */
@NullMarked
package io.osmhub.core.osp;

import org.jspecify.annotations.NullMarked;
