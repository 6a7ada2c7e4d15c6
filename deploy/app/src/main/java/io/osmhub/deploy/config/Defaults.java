package io.osmhub.deploy.config;

import io.osmhub.core.document.Node;
import io.osmhub.core.document.Position;
import io.osmhub.core.settings.SettingsLayer;
import java.util.List;

/** Settings for all tenants, and how they were written. */
record Defaults(SettingsLayer layer, Node written) {
    static final Defaults NONE = new Defaults(SettingsLayer.EMPTY, new Node.Fields(List.of(), Position.NONE));
}
