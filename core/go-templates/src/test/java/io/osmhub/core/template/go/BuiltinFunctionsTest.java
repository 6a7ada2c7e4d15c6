package io.osmhub.core.template.go;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BuiltinFunctionsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '^',
            value = {
                "and 1 0 2 ~ 0",
                "or 0 \"\" \"x\" ~ x",
                "and true .a.b ~ <no value>",
                "not 0 ~ true",
                "len \"é\" ~ 2",
                "index (list 1 (list 2 3)) 1 0 ~ 2",
                "index \"ab\" 1 ~ 98",
                "slice \"abcd\" 1 3 ~ bc",
                "slice (list 1 2 3) 1 ~ [2 3]",
                "print 1 2 \"x\" 3 ~ 1 2x3",
                "printf \"%05d|%v\" 7 nil ~ 00007|<nil>",
                "html \"<a b='&'>\" ~ &lt;a b=&#39;&amp;&#39;&gt;",
                "html nil ~ &lt;no value&gt;",
                "js \"it's <\\u00e9\\u200b>\" ~ it\\'s \\u003Cé\\u200B\\u003E",
                "urlquery \"a b&é\" ~ a+b%26%C3%A9",
                "eq 1 2 3 1 ~ true",
                "eq 'a' 97 ~ true",
                "ne nil 1 ~ true",
                "lt -1 1 ~ true",
                "le \"a\" \"b\" ~ true",
                "gt 2.5 1.5 ~ true",
                "ge \"b\" \"b\" ~ true"
            })
    void givesWhatGoGives(String expression, String output) {
        assertThat(Go.render("{{ " + expression + " }}", "{}")).isEqualTo(output);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '^',
            value = {
                "len 3 ~ len: len of type int",
                "len .x ~ len: reflect: call of reflect.Value.Type on zero Value",
                "index nil 1 ~ index: index of untyped nil",
                "index (list 1) 1 ~ index: index out of range: 1",
                "index (list 1) 2 ~ index: index out of range: 2",
                "index (list 1) \"a\" ~ index: cannot index slice/array with type string",
                "index . 1 ~ index: value has type int; should be string",
                "slice \"abc\" 2 1 ~ slice: invalid slice index: 2 > 1",
                "slice \"abc\" 1 2 3 ~ slice: cannot 3-index slice a string",
                "slice 1 ~ slice: can't slice item of type int",
                "call nil ~ call: call of nil",
                "call 1 ~ call: non-function 1 of type int",
                "eq 1 1.0 ~ eq: incompatible types for comparison: int and float64",
                "eq . . ~ eq: non-comparable type map[string]interface {}",
                "eq (list) . ~ eq: non-comparable types []interface {} and map[string]interface {}",
                "eq 1 ~ eq: missing argument for comparison",
                "lt nil 1 ~ lt: invalid type for comparison",
                "lt true false ~ lt: invalid type for comparison",
                "ge 1 \"a\" ~ ge: incompatible types for comparison: int and string"
            })
    void failsWithGosWords(String expression, String cause) {
        assertThat(Go.error("{{ " + expression + " }}", "{}"))
                .isEqualTo("template: t:1:3: executing \"t\" at <" + expression + ">: error calling " + cause);
    }

    @Test
    void comparesIntegersWhateverTheirWidthAndSign() {
        String data =
                "{\"big\":{\"$uint64\":\"18446744073709551615\"},\"minus\":{\"$int8\":-1},\"one\":{\"$uint8\":1}}";
        assertThat(Go.render("{{ eq .one 1 }} {{ eq .big .minus }} {{ lt .minus .big }} {{ gt .big 1 }}", data))
                .isEqualTo("true false true true");
    }

    @Test
    void doesNotComparePointersWithWhatTheyPointTo() {
        assertThat(Go.error("{{ eq .a 1 }}", "{\"a\":{\"$ptr\":{\"$int32\":1}}}"))
                .endsWith("error calling eq: incompatible types for comparison: *int32 and int");
    }

    @Test
    void stopsAtTheDecidingArgument() {
        assertThat(Go.render("{{ and .n .n.a.b }}{{ or 1 (fail \"reached\") }}", "{\"n\":{\"$nilptr\":\"map\"}}"))
                .isEqualTo("<nil>1");
    }

    @Test
    void callsFunctionValues() {
        String data = "{\"add\":{\"$func\":\"add\"},\"join\":{\"$func\":\"join\"},\"fail\":{\"$func\":\"fail\"}}";
        assertThat(Go.render("{{ call .add 1 2 }} {{ call .join \"-\" \"a\" \"b\" }}", data))
                .isEqualTo("3 a-b");
        assertThat(Go.error("{{ call .add 1 }}", data)).endsWith("wrong number of args for .add: got 1 want 2");
        assertThat(Go.error("{{ call .add 1 \"x\" }}", data)).endsWith("arg 1: value has type string; should be int");
        assertThat(Go.error("{{ call .fail \"é\" }}", data)).endsWith("error calling call: é");
        assertThat(Go.error("{{ .add }}", data))
                .isEqualTo(
                        "template: t:1:3: executing \"t\" at <{{.add}}>: can't print {{.add}} of type func(int, int) int");
    }
}
