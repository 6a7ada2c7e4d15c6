package io.osmhub.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.tenancy.settings.HubSettings;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What can be set is asked for by something that acts on it, and not only read, checked and printed. */
final class EveryKeyHasAnEffectTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.osmhub");

    @Test
    void ofTheConfiguration() {
        assertThat(withoutEffect(HubConfiguration.class, "io.osmhub.deploy.config", "io.osmhub.deploy.dropin"))
                .isEmpty();
    }

    @Test
    void ofATenantsSettings() {
        assertThat(withoutEffect(TenantSettings.class, "io.osmhub.core.settings"))
                .isEmpty();
    }

    @Test
    void ofWhatTheHubsCoreIsTold() {
        assertThat(withoutEffect(HubSettings.class, "io.osmhub.deploy")).isEmpty();
    }

    /** Components of a record and of the records in it that nothing outside of some packages asks for. */
    private static List<String> withoutEffect(Class<?> settings, String... readers) {
        List<String> found = new ArrayList<>();
        Stream.concat(Stream.of(settings), Stream.of(settings.getDeclaredClasses()))
                .filter(Class::isRecord)
                .forEach(record -> {
                    JavaClass imported = CLASSES.get(record);
                    for (RecordComponent component : record.getRecordComponents()) {
                        if (!isAskedFor(imported.getMethod(component.getName()), settings, List.of(readers))) {
                            found.add(record.getSimpleName() + "." + component.getName());
                        }
                    }
                });
        return found;
    }

    private static boolean isAskedFor(JavaMethod accessor, Class<?> settings, List<String> readers) {
        return Stream.concat(accessor.getCallsOfSelf().stream(), accessor.getReferencesToSelf().stream())
                .map(access -> access.getOriginOwner())
                .anyMatch(origin -> !origin.getName().startsWith(settings.getName())
                        && readers.stream().noneMatch(origin.getPackageName()::equals));
    }
}
