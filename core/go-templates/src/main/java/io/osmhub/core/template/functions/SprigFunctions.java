package io.osmhub.core.template.functions;

/** The functions of sprig 3.3.0, but for those that are refused, and OSM's, which replace sprig's of the same names. */
public final class SprigFunctions {
    private SprigFunctions() {}

    public static void addTo(FunctionRegistry.Builder functions) {
        StringFunctions.addTo(functions);
        NumberFunctions.addTo(functions);
        ListFunctions.addTo(functions);
        DictFunctions.addTo(functions);
        DefaultFunctions.addTo(functions);
        RegexFunctions.addTo(functions);
        SemverFunctions.addTo(functions);
        PathFunctions.addTo(functions);
        EncodingFunctions.addTo(functions);
        OsmFunctions.addTo(functions);
    }
}
