package io.osmhub.core.golang.wellknown;

import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import java.util.List;

/** Structs of Go's and Kubernetes' libraries with methods of their own. */
public final class WellKnownTypes {
    /**
     * {@code metav1.Duration}, a struct around a {@code time.Duration}. It has the duration's methods except {@code String}, which
     * is generated for pointers to it, so that a pointer prints {@code &Duration{Duration:1h30m0s,}}.
     */
    public static final GoType META_DURATION =
            GoType.struct("v1.Duration", List.of(new GoType.Field("Duration", GoDuration.TYPE)));

    private static final GoType TO_STRING = GoType.function(GoType.STRING);

    static {
        for (GoType.Method method : GoDuration.TYPE.methods()) {
            META_DURATION.addMethod(
                    new GoType.Method(method.name(), method.signature(), false, (environment, arguments) -> {
                        GoStruct duration = (GoStruct) arguments.getFirst();
                        return method.code().call(environment, List.of(duration.field(0)));
                    }));
        }
        META_DURATION.addMethod(new GoType.Method("String", TO_STRING, true, (_, arguments) -> {
            return GoString.ofBytes(
                    arguments.getFirst() instanceof GoPointer pointer && pointer.target() instanceof GoStruct duration
                            ? "&Duration{Duration:" + GoDuration.text(nanos(duration)) + ",}"
                            : "nil");
        }));
    }

    private WellKnownTypes() {}

    /** A {@code metav1.Duration}. */
    public static GoStruct metaDuration(long nanos) {
        return GoStruct.of(META_DURATION, List.of(GoDuration.of(nanos)));
    }

    /** The nanoseconds of a {@code metav1.Duration}. */
    public static long nanos(GoStruct metaDuration) {
        return ((GoInt) metaDuration.field(0)).value();
    }
}
