package io.osmhub.core.lint;

import io.osmhub.core.document.Position;
import io.osmhub.core.problem.Finding;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Where a text stops being YAML. Whether it does is decided by the reader that profiles are read with; it names a line, and not
 * always the one with the mistake. A second parser, which is stricter in other things, knows the column as well.
 */
final class YamlPlace {
    private YamlPlace() {}

    static Position of(String text, Finding finding) {
        if (finding.column() > 0) {
            return new Position(finding.line(), finding.column());
        }
        Position place = Position.NONE;
        try {
            new Parse(LoadSettings.builder().build()).parseString(text).forEach(event -> {});
        } catch (MarkedYamlEngineException e) {
            Mark mark = e.getProblemMark().orElse(null);
            place = mark == null ? place : new Position(mark.getLine() + 1, mark.getColumn() + 1);
        } catch (YamlEngineException e) {
            place = Position.NONE;
        }
        return place.known() ? place : new Position(Math.max(1, finding.line()), 1);
    }

    static String cure(String text, Position place) {
        String line = text.lines().skip(place.line() - 1L).findFirst().orElse("");
        boolean tab = line.substring(0, line.length() - line.stripLeading().length()).contains("\t");
        return tab ? "YAML takes no tab as indentation; use blanks" : "check indentation, colons and quotes";
    }
}
