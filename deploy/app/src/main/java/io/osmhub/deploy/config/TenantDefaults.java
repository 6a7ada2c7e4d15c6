package io.osmhub.deploy.config;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourcePosition;
import io.osmhub.core.settings.SettingsLayer;
import java.util.List;

/** Default settings of all tenants, and their source. */
record TenantDefaults(SettingsLayer layer, DocumentNode written) {
    static final TenantDefaults NONE =
            new TenantDefaults(SettingsLayer.EMPTY, new DocumentNode.Fields(List.of(), SourcePosition.NONE));
}
