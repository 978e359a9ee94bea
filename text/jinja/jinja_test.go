package jinja

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/cputime"
)

// recorded is Jinja2's output by testdata/record.py; a text of nil is an error there.
type recorded struct {
	Snippets []*string
	Chats    map[string][]*string
}

func read(t *testing.T, file string, into any) {
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, into))
}

func render(source string, values map[string]any) (string, error) {
	t, err := Parse(source)
	if err != nil {
		return "", err
	}
	return t.Render(values)
}

func same(t *testing.T, name, source string, values map[string]any, want *string) {
	got, err := render(source, values)
	switch {
	case want == nil && err == nil:
		t.Errorf("%s: Jinja2 has an error, and this is written:\n%q", name, got)
	case want == nil:
		var e *Error
		require.True(t, errors.As(err, &e), "%s: %v", name, err)
	case err != nil:
		t.Errorf("%s: %v\nwant\n%q", name, err, *want)
	case *want != got:
		t.Errorf("%s:\n%q\nwant\n%q", name, got, *want)
	}
}

// TestSnippets compares with Jinja2, piece by piece of the language.
func TestSnippets(t *testing.T) {
	var want recorded
	dir := "testdata"
	if more := os.Getenv("ACAP_JINJA"); more != "" { // a folder of templates and what record.py made of them
		dir = more
	}
	read(t, filepath.Join(dir, "cases.json"), &want)
	var values struct {
		Snippets map[string]json.RawMessage
		Chats    []map[string]json.RawMessage
	}
	read(t, "testdata/values.json", &values)
	text, err := os.ReadFile("testdata/snippets.txt")
	require.NoError(t, err)
	snippets := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n====\n")
	require.Len(t, want.Snippets, len(snippets))
	for i, s := range snippets {
		same(t, s, s, raw(values.Snippets), want.Snippets[i])
	}
	require.NotEmpty(t, want.Chats)
	for name, prompts := range want.Chats {
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		for i, prompt := range prompts {
			v := raw(values.Chats[i])
			for name, value := range map[string]any{"bos_token": "<s>", "eos_token": "</s>", "tools": nil} {
				if _, has := v[name]; !has {
					v[name] = value
				}
			}
			same(t, name+", chat "+string(rune('0'+i)), string(text), v, prompt)
		}
	}
}

func raw(of map[string]json.RawMessage) map[string]any {
	values := map[string]any{}
	for k, v := range of {
		values[k] = v
	}
	return values
}

func TestTime(t *testing.T) {
	parsed, err := Parse(`{{ strftime_now("%d %b %Y, %A %-d %B %y %H:%M:%S %I %p %j %e|%F") }}`)
	require.NoError(t, err)
	parsed.now = func() time.Time { return time.Date(2025, 3, 7, 15, 4, 5, 0, time.UTC) }
	got, err := parsed.Render(nil)
	require.NoError(t, err)
	require.Equal(t, "07 Mar 2025, Friday 7 March 25 15:04:05 03 PM 066  7|2025-03-07", got)
}

// TestErrors checks that errors have their place.
func TestErrors(t *testing.T) {
	for source, want := range map[string]string{
		"a\n {{ b.c.d }}":               "line 2, column 8: 'Undefined object'",
		"a\n {{ x.y }}":                 "line 2, column 6: 'x' is undefined",
		"{{ 1 }}\n\n{% iff %}":          "line 3, column 4: the tag iff is not supported",
		"é {{ 'x'|nope }}":              "line 1, column 10: there is no filter named nope",
		"{{ ''.__class__ }}":            "line 1, column 6: the attribute __class__ of a str is not safe",
		"{{ 'x'.encode() }}":            "line 1, column 7: the attribute encode of a str is not supported",
		"{{ self }}":                    "line 1, column 4: the name self is not supported",
		"{{ lipsum() }}":                "line 1, column 4: the name lipsum is not supported",
		"{{ 'x'|urlize }}":              "line 1, column 8: the filter urlize is not supported",
		"{{ 9223372036854775807 + 1 }}": "the integer is beyond 64 bits",
		"{% if 1 %}{{ 'a }}":            "the string has no end",
		"{% for i in [1] %}":            "endfor or else is missing",
		"{{ raise_exception('Oh') }}":   "Oh",
		"{{ 99999999999999999999 }}":    "is no integer of 64 bits",
		"{{ '{:q}'.format(1) }}":        "the specification q is not supported",
		"{{ dict([[1]]) }}":             "dict: pairs of a key and a value are wanted",
		"{{ dict([['a', 1, 2]]) }}":     "dict: pairs of a key and a value are wanted",
		"{{ dict([[[], 1]]) }}":         "dict: pairs of a key and a value are wanted",
		"{{ namespace(['a']).a }}":      "namespace: pairs of a key and a value are wanted",
		"{{ dict({}, {}) }}":            "dict takes one argument without a name",
		"{{ range(1, 2, 0) }}":          "range: the step is 0",
		"{{ cycler() }}":                "cycler: there is nothing to cycle through",
		"{{ [1, 2][::0] }}":             "the step of a slice is an integer other than 0",
		"{{ 'a'.split('') }}":           "the separator is empty",
		"{{ 'a'.center(3, 'xy') }}":     "one character is wanted to fill with",
		"{{ 1(2) }}":                    "a int cannot be called",
		"{{ 1 % 0 }}":                   "division by zero",
		"{{ [1]|sum(start='a') }}":      "sum: strings are not added",
		"{{ 'abcdef'|truncate(2) }}":    "truncate: the length is less than the length of the end",
		"{{ 5|items|list }}":            "items: a dict is wanted, and this is a int",
		"{{ 5|length }}":                "a int has no length",
	} {
		_, err := render(source, map[string]any{"b": map[string]any{}})
		var e *Error
		require.True(t, errors.As(err, &e), "%s: %v", source, err)
		require.ErrorContains(t, err, strings.Replace(want, "'Undefined object'", "'dict object' has no attribute 'c'", 1), source)
	}
	_, err := render("{{ x }}", map[string]any{"x": json.RawMessage("123456789012345678901")})
	require.ErrorContains(t, err, "the value x: 123456789012345678901 is no integer of 64 bits")
}

// TestHostile checks that a template that would never end, or would take all memory, is an error soon.
func TestHostile(t *testing.T) {
	for _, source := range []string{
		"{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}",
		"{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
		"{% macro m() %}{% for i in [1] %}{{ m() }}{% endfor %}{% endmacro %}{{ m() }}",
		"{{ 'x' * 10 ** 12 }}",
		"{{ [1] * 10 ** 18 }}",
		"{{ 'x'.ljust(2000000000) }}",
		"{{ '%2000000000d' % 1 }}",
		"{{ 'x'|indent(2000000000, true) }}",
		"{{ 7 ** 10 ** 18 }}",
		"{% set ns = namespace(x='x') %}{% for i in range(100) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}",
		"{% set ns = namespace(x=[]) %}{% for i in range(100) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x }}",
		"{% set ns = namespace(x=[]) %}{% for i in range(100) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x|tojson }}",
		"{% set ns = namespace(x=[], y=[]) %}{% for i in range(100) %}{% set ns.x = [ns.x, ns.x] %}{% set ns.y = [ns.y, ns.y] %}{% endfor %}{{ ns.x == ns.y }}",
		"{% set ns = namespace(x=()) %}{% for i in range(100) %}{% set ns.x = (ns.x, ns.x) %}{% endfor %}{{ {ns.x: 1} }}",
		"{% set ns = namespace(x='x') %}{% for i in range(100) %}{% set ns.x = ns.x|replace('x', 'xx') %}{% endfor %}",
		"{% set ns = namespace(x='x') %}{% for i in range(100) %}{% set ns.x = ns.x.join([ns.x, ns.x]) %}{% endfor %}",
		"{% set ns = namespace() %}{% set ns.x = ns %}{{ ns }}",
		strings.Repeat("{% if 1 %}", 100_000),
		"{{ " + strings.Repeat("(", 100_000),
		"{{ " + strings.Repeat("-", 100_000) + "1 }}",
		"{{ " + strings.Repeat("not ", 100_000) + "1 }}",
		"{{ " + strings.Repeat("[", 100_000),
	} {
		begin := cputime.Used()
		_, err := render(source, nil)
		var e *Error
		require.True(t, errors.As(err, &e), "%.80s: %v", source, err)
		require.Less(t, cputime.Used()-begin, 20*time.Second, "%.80s", source)
	}
	long := "{{ 1" + strings.Repeat(" + 1", 100_000) + " }}"
	got, err := render(long, nil)
	require.NoError(t, err)
	require.Equal(t, "100001", got)
}

// TestReadTexts: filters and methods take steps for the texts that they read, whatever their results are.
func TestReadTexts(t *testing.T) {
	for _, read := range []string{"x.count('b ')", "x.find('zz')", "x.splitlines()", "x.isupper()", "x|reverse", "x|truncate(2000)", "x|indent", "x|int(0)", "x|float",
		"x|title", "x|length", "'b'.join(x)", "''.find(x)"} {
		parsed, err := Parse("{% set x = 'ab ' * 1000 %}{% for i in range(1000) %}{% set y = " + read + " %}{% endfor %}")
		require.NoError(t, err)
		parsed.steps = 100_000 // a usual rendering has so many that it reads 80 MB
		_, err = parsed.Render(nil)
		require.ErrorContains(t, err, "takes more than 100000 steps", read)
	}
}

// TestOtherRows: rows of no items and slices with other parts than integers are as in Jinja2 3.1.
func TestOtherRows(t *testing.T) {
	for source, want := range map[string]string{
		"{{ [1]|batch(0)|list }}":             "[[], [1]]",
		"{{ [1, 2]|batch(0)|list }}":          "[[], [1, 2]]",
		"{{ []|batch(0)|list }}":              "[]",
		"{{ [1, 2, 3]|batch(-1)|list }}":      "[[1, 2, 3]]",
		"{{ [1, 2]|batch(0, 'x')|list }}":     "[[], [1, 2]]",
		"{{ [1, 2, 3]|batch(-2, 'x')|list }}": "[[1, 2, 3]]",
		"{{ [1, 2]|slice(-1)|list }}":         "[]",
		"{{ [1, 2]['a':] }}":                  "",
		"{{ 'ab'['a':] }}":                    "",
		"{{ (1, 2)['a':] }}":                  "",
		"{{ [1, 2][1.0:] }}":                  "",
		"{{ [1, 2][:'a'] }}":                  "",
		"{{ [1, 2][::'a'] }}":                 "",
		"{{ 5[1:] }}":                         "",
		"{{ none[1:] }}":                      "",
		"{{ {'a': 1}[1:] }}":                  "",
		"{{ [1, 2][none:] }}":                 "[1, 2]",
		"{{ [1, 2][true:] }}":                 "[2]",
	} {
		got, err := render(source, nil)
		require.NoError(t, err, source)
		require.Equal(t, want, got, source)
	}
	for source, want := range map[string]string{
		"{{ [1, 2][x:] }}":           "'x' is undefined, so it is no part of a slice",
		"{{ x['a':] }}":              "'x' is undefined, so it has no items",
		"{{ [1, 2]|slice(0)|list }}": "items are divided into 0 parts",
		"{{ [1, 2]['a':].b }}":       "the parts of a slice are integers, and this is a str",
	} {
		_, err := render(source, nil)
		require.ErrorContains(t, err, want, source)
	}
}
