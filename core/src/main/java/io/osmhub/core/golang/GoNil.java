package io.osmhub.core.golang;

/** An empty interface value of the given interface type: Go's untyped {@code nil}. Nil pointers, slices and maps are typed. */
public record GoNil(GoType type) implements GoValue {
    public static final GoNil ANY = new GoNil(GoType.ANY);
}
