package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.TemplateEngine.TemplateSources;
import io.osmhub.core.template.TemplateException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** Renders one text in a context like that of a profile's files. */
final class Profiles {
    private static final GoType NETWORK =
            GoType.struct("NetworkConfig", List.of(new GoType.Field("CIDR", GoType.STRING)));

    private static final GoType FILES_DATA = GoType.struct(
            "filesData",
            List.of(
                    new GoType.Field("KubeVersion", GoType.STRING),
                    new GoType.Field("CloudProviderName", GoType.named("CloudProvider", GoType.STRING)),
                    new GoType.Field("MaxPods", GoType.pointerTo(GoType.INT32)),
                    new GoType.Field("HTTPProxy", GoType.pointerTo(GoType.STRING)),
                    new GoType.Field("NetworkConfig", GoType.pointerTo(NETWORK)),
                    new GoType.Field("Network", NETWORK),
                    new GoType.Field("Servers", GoType.STRINGS),
                    new GoType.Field("Gates", GoType.DICT),
                    new GoType.Field("None", GoType.LIST)));

    private Profiles() {}

    static GoValue data() {
        return GoPointer.to(GoStruct.of(
                FILES_DATA,
                List.of(
                        GoString.of("1.33.2"),
                        new GoString(GoType.named("CloudProvider", GoType.STRING), "aws"),
                        GoPointer.to(new GoInt(GoType.INT32, 110)),
                        GoPointer.nil(GoType.STRING),
                        GoPointer.nil(NETWORK),
                        GoStruct.of(NETWORK, List.of(GoString.of("10.0.0.0/8"))),
                        new GoSlice(GoType.STRINGS, List.of(GoString.of("ä"), GoString.of("b"))),
                        GoMap.of(new HashMap<>(Map.of(GoString.of("z"), GoInt.of(1), GoString.of("a"), GoInt.of(2)))),
                        new GoSlice(GoType.LIST, null))));
    }

    static ExecutionEnvironment environment() {
        return environment(RenderLimits.DEFAULT);
    }

    /** Time stands still, so that only what is counted ends a template. */
    static ExecutionEnvironment environment(RenderLimits limits) {
        return environment(limits, () -> 0L);
    }

    static ExecutionEnvironment environment(RenderLimits limits, LongSupplier nanoTime) {
        return new Sandbox.Factory(limits, nanoTime).open();
    }

    static String render(String text) throws TemplateException {
        return render(text, Map.of());
    }

    static String render(String text, Map<String, String> snippets) throws TemplateException {
        return render(text, snippets, environment());
    }

    static String render(String text, Map<String, String> snippets, ExecutionEnvironment environment)
            throws TemplateException {
        TemplateSources sources = new TemplateSources(snippets, List.of(new TemplateSources.File("/etc/file", text)));
        return new HandlebarsEngine()
                .compile(sources)
                .render(data(), environment)
                .getFirst();
    }
}
