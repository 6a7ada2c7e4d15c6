package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import io.osmhub.core.template.Limits;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.TemplateFailure;
import io.osmhub.core.template.TemplateSources;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;

/** Renders one text in a context like that of a profile's files. */
final class Profiles {
    private static final Type NETWORK = Type.struct("NetworkConfig", List.of(new Type.Field("CIDR", Type.STRING)));

    private static final Type FILES_DATA = Type.struct(
            "filesData",
            List.of(
                    new Type.Field("KubeVersion", Type.STRING),
                    new Type.Field("CloudProviderName", Type.named("CloudProvider", Type.STRING)),
                    new Type.Field("MaxPods", Type.pointerTo(Type.INT32)),
                    new Type.Field("HTTPProxy", Type.pointerTo(Type.STRING)),
                    new Type.Field("NetworkConfig", Type.pointerTo(NETWORK)),
                    new Type.Field("Network", NETWORK),
                    new Type.Field("Servers", Type.STRINGS),
                    new Type.Field("Gates", Type.DICT),
                    new Type.Field("None", Type.LIST)));

    private Profiles() {}

    static Value data() {
        return Pointer.to(Struct.of(
                FILES_DATA,
                List.of(
                        Str.of("1.33.2"),
                        new Str(Type.named("CloudProvider", Type.STRING), "aws"),
                        Pointer.to(new Int(Type.INT32, 110)),
                        Pointer.nil(Type.STRING),
                        Pointer.nil(NETWORK),
                        Struct.of(NETWORK, List.of(Str.of("10.0.0.0/8"))),
                        new Slice(Type.STRINGS, List.of(Str.of("ä"), Str.of("b"))),
                        MapValue.of(new HashMap<>(Map.of(Str.of("z"), Int.of(1), Str.of("a"), Int.of(2)))),
                        new Slice(Type.LIST, null))));
    }

    static Environment environment() {
        return environment(Limits.DEFAULT);
    }

    /** Time stands still, so that only what is counted ends a template. */
    static Environment environment(Limits limits) {
        return environment(limits, () -> 0L);
    }

    static Environment environment(Limits limits, LongSupplier nanoTime) {
        return new Sandbox.Factory(limits, InstantSource.fixed(Instant.EPOCH), ZoneOffset.UTC, new Random(1), nanoTime)
                .open();
    }

    static String render(String text) throws TemplateFailure {
        return render(text, Map.of());
    }

    static String render(String text, Map<String, String> snippets) throws TemplateFailure {
        return render(text, snippets, environment());
    }

    static String render(String text, Map<String, String> snippets, Environment environment) throws TemplateFailure {
        TemplateSources sources = new TemplateSources(snippets, List.of(new TemplateSources.File("/etc/file", text)));
        return new HandlebarsEngine()
                .compile(sources)
                .render(data(), environment)
                .getFirst();
    }
}
