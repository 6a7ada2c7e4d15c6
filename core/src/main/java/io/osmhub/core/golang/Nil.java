package io.osmhub.core.golang;

/** An empty interface value of the given interface type: Go's untyped {@code nil}. Nil pointers, slices and maps are typed. */
public record Nil(Type type) implements Value {
    public static final Nil ANY = new Nil(Type.ANY);
}
