import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Writes a jar again with its classes in the format of Java 8. An AOT cache excludes classes of Java 5, which have no stack maps: Java
 * loads, verifies and links them at each start. The code is unchanged, and equal jars give equal results. Usage: UpgradeClasses JAR
 */
final class UpgradeClasses {
    private UpgradeClasses() {}

    public static void main(String[] arguments) throws IOException {
        Path jar = Path.of(arguments[0]);
        Path upgraded = Path.of(jar + ".part");
        try (URLClassLoader own = new URLClassLoader(
                        new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
                ZipFile entries = new ZipFile(jar.toFile());
                ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(upgraded))) {
            ClassFile format = ClassFile.of(
                    StackMapsOption.GENERATE_STACK_MAPS,
                    ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(own)
                            .orElse(ClassHierarchyResolver.ofClassLoading(ClassLoader.getPlatformClassLoader()))));
            for (ZipEntry entry : Collections.list(entries.entries())) {
                byte[] content = entries.getInputStream(entry).readAllBytes();
                ZipEntry copy = new ZipEntry(entry.getName());
                copy.setTimeLocal(entry.getTimeLocal());
                out.putNextEntry(copy);
                out.write(entry.getName().endsWith(".class") ? upgraded(format, content) : content);
            }
        }
        Files.move(upgraded, jar, StandardCopyOption.REPLACE_EXISTING);
    }

    private static byte[] upgraded(ClassFile format, byte[] content) {
        ClassModel old = format.parse(content);
        if (old.majorVersion() >= ClassFile.JAVA_6_VERSION) {
            return content;
        }
        return format.build(old.thisClass().asSymbol(), builder -> {
            builder.withVersion(ClassFile.JAVA_8_VERSION, 0);
            old.forEach(element -> {
                switch (element) {
                    case ClassFileVersion ignored -> {}
                    case MethodModel method ->
                        builder.transformMethod(method, MethodTransform.transformingCode(CodeBuilder::with));
                    default -> builder.with(element);
                }
            });
        });
    }
}
