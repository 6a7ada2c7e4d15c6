package io.osmhub.deploy;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.osmhub.tenancy.client.ManagementAccess;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The structure that docs/architecture.md promises, held by the class files. */
final class StructureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar") && !location.contains("/test-classes/"))
            .importPackages("io.osmhub");

    @Test
    void modulesPointOneWay() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("core")
                .definedBy("io.osmhub.core..")
                .optionalLayer("worker-sync")
                .definedBy("io.osmhub.workersync..")
                .optionalLayer("tenancy")
                .definedBy("io.osmhub.tenancy..")
                .optionalLayer("api")
                .definedBy("io.osmhub.api..")
                .layer("deploy")
                .definedBy("io.osmhub.deploy..")
                .whereLayer("deploy")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("api")
                .mayOnlyBeAccessedByLayers("deploy")
                .whereLayer("tenancy")
                .mayOnlyBeAccessedByLayers("api", "deploy")
                .whereLayer("worker-sync")
                .mayOnlyBeAccessedByLayers("tenancy", "api", "deploy")
                .because(
                        "a worker cluster's sync must not find a way to another tenant: core <- worker-sync <- tenancy <- api <- deploy")
                .check(CLASSES);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.osmhub.(*).(**)")
                .should()
                .beFreeOfCycles()
                .because("a package that can be read alone is understood alone")
                .check(CLASSES);
    }

    @Test
    void tenancyHasAtMostFiveFloors() {
        Map<String, Integer> floors = new TreeMap<>();

        for (JavaPackage javaPackage : CLASSES.getPackage("io.osmhub.tenancy").getSubpackagesInTree()) {
            floor(javaPackage, floors);
        }
        floor(CLASSES.getPackage("io.osmhub.tenancy"), floors);

        assertThat(floors.values())
                .as("floors of packages, each above all that it depends on: %s", floors)
                .allMatch(floor -> floor <= 5);
    }

    private static int floor(JavaPackage javaPackage, Map<String, Integer> floors) {
        Integer known = floors.get(javaPackage.getName());
        if (known != null) {
            return known;
        }
        int below = javaPackage.getPackageDependenciesFromThisPackage().stream()
                .filter(used -> used.getName().startsWith("io.osmhub.tenancy"))
                .mapToInt(used -> floor(used, floors))
                .max()
                .orElse(0);
        floors.put(javaPackage.getName(), below + 1);
        return below + 1;
    }

    @Test
    void coreAndTheValidationOfKubeconfigsResolveNoNames() {
        noClasses()
                .that()
                .resideInAnyPackage("io.osmhub.core..", "io.osmhub.tenancy.kubeconfig..")
                .should()
                .callMethod(InetAddress.class, "getByName", String.class)
                .orShould()
                .callMethod(InetAddress.class, "getAllByName", String.class)
                .orShould()
                .callMethod(InetAddress.class, "getHostName")
                .orShould()
                .callMethod(InetAddress.class, "getCanonicalHostName")
                .because("addresses are values there, and resolving a name is a request to a network")
                .check(CLASSES);
    }

    @Test
    void coreReachesNeitherNetworkNorFilesNorClockNorEnvironment() {
        noClasses()
                .that()
                .resideInAPackage("io.osmhub.core..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.nio.file..", "io.fabric8.kubernetes.client..", "io.vertx..")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.net\\.(Socket|ServerSocket|DatagramSocket|URL|HttpURLConnection|http\\..*)|java\\.io\\.File(InputStream|OutputStream|Reader|Writer)?")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(ZonedDateTime.class, "now")
                .orShould()
                .callMethod(LocalDateTime.class, "now")
                .orShould()
                .callMethod(Clock.class, "systemUTC")
                .orShould()
                .callMethod(System.class, "getenv")
                .orShould()
                .callMethod(System.class, "getenv", String.class)
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callConstructor(Random.class)
                .orShould()
                .callMethod(ThreadLocalRandom.class, "current")
                .because(
                        "core decides from values alone: the same input gives the same bytes, and a template reaches nothing")
                .check(CLASSES);
    }

    @Test
    void onlyTheManagementClustersKubeconfigReachesTheLibrary() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(ManagementAccess.class.getName())
                .should()
                .callMethodWhere(DescribedPredicate.describe(
                        "the library reads a kubeconfig or the environment",
                        call -> call.getTargetOwner().isEquivalentTo(Config.class)
                                && Set.of("fromKubeconfig", "autoConfigure", "refresh")
                                        .contains(call.getName())))
                .orShould()
                .callConstructor(Config.class)
                .orShould()
                .callConstructor(ConfigBuilder.class)
                .because("a tenant's kubeconfig could name programs and files, and the library uses them")
                .check(CLASSES);
    }

    @Test
    void nothingThatCouldActStandsBeforeTheKubeconfigFirewall() {
        noClasses()
                .that()
                .resideInAPackage("io.osmhub.tenancy.kubeconfig..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.fabric8..",
                        "io.vertx..",
                        "io.netty..",
                        "java.nio.file..",
                        "java.nio.channels..",
                        "java.net.http..")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.net\\.(Socket|ServerSocket|DatagramSocket|URL|URLConnection|HttpURLConnection|ProxySelector)|java\\.io\\.File(InputStream|OutputStream|Reader|Writer)?|java\\.io\\.RandomAccessFile|java\\.lang\\.(Process|ProcessBuilder|ProcessHandle|Runtime)|java\\.io\\.ObjectInputStream")
                .orShould()
                .callConstructor(InetSocketAddress.class, String.class, int.class)
                .because(
                        "a kubeconfig is vetted before anything exists that could run its programs, open its files or connect to its addresses")
                .check(CLASSES);
    }

    @Test
    void onlyTheProgramEndsTheProcessAndWritesToItsStreams() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.osmhub.deploy..")
                .should()
                .callMethod(System.class, "exit", int.class)
                .orShould()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .because("a library that ends or prints cannot be served to many tenants")
                .check(CLASSES);
    }

    @Test
    void theTracingLibraryIsLoadedOnlyWhenTracesAreWanted() {
        noClasses()
                .that()
                .doNotHaveSimpleName("OtlpTracing")
                .and()
                .doNotHaveSimpleName("SpanIds")
                .and()
                .doNotHaveSimpleName("FailureSampler")
                .and()
                .doNotHaveSimpleName("OutageLoggingSpanExporter")
                .and()
                .areTopLevelClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.opentelemetry..")
                .because("who wants no traces pays nothing for them")
                .check(CLASSES);
    }

    @Test
    void noPackageIsNamedAfterNothing() {
        classes()
                .should()
                .resideOutsideOfPackages("..util..", "..utils..", "..impl..", "..common..", "..helper..", "..dto..")
                .because("a package is a noun of the domain")
                .check(CLASSES);
    }

    @Test
    void everyPackageIsNullMarkedAndOpensWithItsCharter() {
        for (JavaPackage javaPackage : CLASSES.getPackage("io.osmhub").getSubpackagesInTree()) {
            if (!javaPackage.getClasses().isEmpty()) {
                assertThat(javaPackage.isAnnotatedWith(NullMarked.class))
                        .as("package-info.java of %s with @NullMarked", javaPackage.getName())
                        .isTrue();
            }
        }
    }
}
