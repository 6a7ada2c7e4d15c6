package io.osmhub.deploy.config;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourcePosition;
import io.osmhub.core.problem.SpellingSuggestion;
import io.osmhub.core.settings.Setting;
import io.osmhub.core.settings.SettingsLayer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of the command line: options for single keys, and {@code --set KEY=VALUE} for any key. */
final class CommandLineLayer {
    static final String SET = "--set";

    private final ConfigurationValues values;
    private final ConfigurationErrors mistakes;

    private CommandLineLayer(ConfigurationValues values, ConfigurationErrors mistakes) {
        this.values = values;
        this.mistakes = mistakes;
    }

    static void read(
            List<ConfigurationSources.Option> options, ConfigurationValues values, ConfigurationErrors mistakes) {
        CommandLineLayer layer = new CommandLineLayer(values, mistakes);
        options.forEach(layer::read);
    }

    private void read(ConfigurationSources.Option option) {
        if (!option.name().equals(SET)) {
            ConfigurationKey<?> key = ConfigurationKeys.ALL.stream()
                    .filter(each -> each.flag().equals(option.name()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no key has the option " + option.name()));
            applyValue(key, option.name(), option.text());
            return;
        }
        int equals = option.text().indexOf('=');
        if (equals <= 0) {
            mistakes.add(
                    SET, SourcePosition.NONE, option.text(), "is not KEY=VALUE", "write for example log.level=debug");
            return;
        }
        set(option.text().substring(0, equals).strip(), option.text().substring(equals + 1));
    }

    private void set(String path, String text) {
        ConfigurationKey<?> key = FileLayer.key(path);
        if (key != null && key.form().isTextual()) {
            applyValue(key, SET, text);
        } else if (key != null) {
            setStructure(key, path, text);
        } else if (path.startsWith(ConfigurationKeys.DEFAULTS.path() + ".")) {
            setStructure(ConfigurationKeys.DEFAULTS, path, text);
        } else {
            mistakes.add(SET, SourcePosition.NONE, path, "unknown key", cure(path));
        }
    }

    private static String cure(String path) {
        List<String> known =
                ConfigurationKeys.ALL.stream().map(ConfigurationKey::path).toList();
        return SpellingSuggestion.findClosest(path, known)
                .or(() ->
                        known.stream().filter(each -> each.endsWith("." + path)).findFirst())
                .map(near -> "did you mean " + near + "?")
                .orElse("list all with hub explain config");
    }

    private <T> void applyValue(ConfigurationKey<T> key, String option, String text) {
        ValueOrigin origin = new ValueOrigin.CommandLine(option, text);
        T value = key.form().read(text, key.path(), mistakes.of(origin));
        if (value != null) {
            values.set(key, value, origin);
        }
    }

    /** Structured keys take YAML; below {@code defaults} single settings can be set. */
    private <T> void setStructure(ConfigurationKey<T> key, String path, String text) {
        ValueOrigin origin = new ValueOrigin.CommandLine(SET, text);
        ValueType.ErrorReporter reporter =
                (at, field, what, cure) -> mistakes.add(origin, field.isEmpty() ? path : field, what, cure);
        DocumentNode node = ConfigurationParser.read(text, reporter);
        if (node == null) {
            return;
        }
        String[] names = path.substring(key.path().length()).split("\\.");
        for (int i = names.length - 1; i > 0; i--) {
            node = new DocumentNode.Fields(
                    List.of(new DocumentNode.Field(names[i], node, SourcePosition.NONE)), SourcePosition.NONE);
        }
        T value = key.form().read(node, key.path(), reporter);
        if (value instanceof TenantDefaults defaults) {
            values.set(ConfigurationKeys.DEFAULTS, over(values.get(ConfigurationKeys.DEFAULTS), defaults), origin);
        } else if (value != null) {
            values.set(key, value, origin);
        }
    }

    private static TenantDefaults over(TenantDefaults below, TenantDefaults above) {
        SettingsLayer.Builder layer = new SettingsLayer.Builder();
        for (Setting<?> setting : Setting.ALL) {
            copy(setting, above.layer().isSet(setting) ? above.layer() : below.layer(), layer);
        }
        return new TenantDefaults(layer.build(), merged(below.written(), above.written()));
    }

    private static <T> void copy(Setting<T> setting, SettingsLayer from, SettingsLayer.Builder to) {
        to.set(setting, from.get(setting));
    }

    private static DocumentNode merged(@Nullable DocumentNode below, DocumentNode above) {
        if (!(below instanceof DocumentNode.Fields old && above instanceof DocumentNode.Fields fresh)) {
            return above;
        }
        List<DocumentNode.Field> fields = new ArrayList<>();
        for (DocumentNode.Field field : old.fields()) {
            DocumentNode over = fresh.get(field.name());
            fields.add(
                    over == null
                            ? field
                            : new DocumentNode.Field(field.name(), merged(field.value(), over), field.position()));
        }
        for (DocumentNode.Field field : fresh.fields()) {
            if (old.get(field.name()) == null) {
                fields.add(field);
            }
        }
        return new DocumentNode.Fields(fields, old.position());
    }
}
