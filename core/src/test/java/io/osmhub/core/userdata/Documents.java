package io.osmhub.core.userdata;

import io.osmhub.core.osc.CloudInitModules;
import io.osmhub.core.osc.OperatingSystemConfig.Config;
import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.userdata.UserDataGenerator.UserDataInput;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Small configs and what becomes of them. */
final class Documents {
    private Documents() {}

    static UserDataInput cloudInit(Config config) {
        return new UserDataInput(config, "cloud-init", "ubuntu", "aws", "workers", false, true);
    }

    static UserDataInput ignition(Config config) {
        return new UserDataInput(config, "ignition", "flatcar", "aws", "workers", false, true);
    }

    static Config files(File... files) {
        return new Config(List.of(), List.of(files), List.of(), null);
    }

    static Config file(String data) {
        return files(new File("/f", 644, data, ""));
    }

    static Config keys(String... keys) {
        return new Config(List.of(), List.of(), List.of(keys), null);
    }

    static Config units(SystemdUnit... units) {
        return new Config(List.of(units), List.of(), List.of(), null);
    }

    static SystemdUnit unit(String name, boolean enable, @Nullable String content, SystemdUnit.DropIn... dropIns) {
        return new SystemdUnit(name, enable, null, content, List.of(dropIns));
    }

    static Config modules(CloudInitModules modules) {
        return new Config(List.of(), List.of(), List.of(), modules);
    }

    static Config runcmd(String... commands) {
        return modules(new CloudInitModules(List.of(), Map.of(), List.of(commands), Map.of(), ""));
    }

    static Config subscription(String name, String value) {
        return modules(CloudInitModules.NONE.withRhSubscription(Map.of(name, value)));
    }
}
