package io.osmhub.sim;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The simulator stands alone. */
final class SimulatorStructureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.osmhub.sim");

    @Test
    void itDependsOnNothingOfOurs() {
        noClasses()
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage("io.osmhub..")
                        .and(DescribedPredicate.not(JavaClass.Predicates.resideInAPackage("io.osmhub.sim.."))))
                .because("a simulator that shares code with what it tests shares its mistakes")
                .check(CLASSES);
    }

    @Test
    void itsPackagesHaveNoCycles() {
        slices().matching("io.osmhub.sim.(*)..")
                .should()
                .beFreeOfCycles()
                .because("a package that can be read alone is understood alone")
                .check(CLASSES);
    }
}
