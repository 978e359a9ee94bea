package grammar_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/go-acap/acap/base/longtest/heap"
	"github.com/go-acap/acap/llm/grammar"
)

// accepts reports whether a grammar has a text as a whole.
func accepts(g *grammar.Grammar, text string) bool {
	s, ok := g.Start().Next([]byte(text))
	return ok && s.Done()
}

func TestRules(t *testing.T) {
	for _, c := range []struct {
		rules   string
		yes, no []string
	}{
		{`root ::= "a" | "bc"`, []string{"a", "bc"}, []string{"", "b", "ab", "bcc"}},
		{`root ::= [a-c]+ [^a-c] "x"? # a comment`, []string{"a1", "abcä", "czx"}, []string{"1", "ab", "aaaa"}},
		{"root ::= item (\", \" item)*\nitem ::= [0-9]{2,3}", []string{"12", "123, 45"}, []string{"1", "1234", "12,13"}},
		{`root ::= "(" root ")" | "x"`, []string{"x", "((x))"}, []string{"(x", "()"}},
		{`root ::= "\x41\u00e9\"" .`, []string{"Aé\"!", "Aé\"語"}, []string{"Aé\"", "A"}},
		{`root ::= [\]\-a]{3}`, []string{"]-a"}, []string{"\\-a"}},
		{`root ::= ( [x]* )*`, []string{"", "x", "xx"}, []string{"y", "xy"}}, // these two are tests of llama.cpp
		{`root ::= (((((([^x]*){0,99}){0,99}){0,99}){0,99}){0,99}){0,99}`, []string{"", "a", "abc"}, []string{"x", "ax"}},
		{`root ::= ("a"? "b"?){0,2} "c"`, []string{"c", "ac", "bac", "abbc", "ababc"}, []string{"babac", "bbbc"}},
		{"root ::= \"a\" * (\"b\" # x\r\"c\"\n+ ) { 1 , 2 }", []string{"bc", "aabccbc"}, []string{"a", "b", "bcbcbc"}}, // blanks stand before repetitions
		{`root ::= "a"{0,2} "b"`, []string{"b", "ab", "aab"}, []string{"aaab"}},
		{`root ::= "a"{2,2} "b"{1} "c"{2,}`, []string{"aabcc", "aabcccc"}, []string{"abcc", "aaabcc", "aabbcc", "aabc"}},
		{"root ::= A-z_0Z9\nA-z_0Z9 ::= [^z-z]", []string{"a", "{"}, []string{"z", ""}}, // a name of all kinds of characters
		{`root ::= ("a" | "b"?) "c"`, []string{"ac", "bc", "c"}, []string{"abc", ""}},
	} {
		g, err := grammar.Parse(c.rules)
		require.NoError(t, err, c.rules)
		for _, s := range c.yes {
			require.True(t, accepts(g, s), "%s: %q", c.rules, s)
		}
		for _, s := range c.no {
			require.False(t, accepts(g, s), "%s: %q", c.rules, s)
		}
	}
}

// TestDepth: from the first rule that is read, rules may begin with one another 16,384 deep, and no deeper.
func TestDepth(t *testing.T) {
	chain := func(depth int) string {
		var b strings.Builder
		b.WriteString("root ::= r0\n")
		for i := range depth {
			fmt.Fprintf(&b, "r%d ::= r%d\n", i, i+1)
		}
		fmt.Fprintf(&b, "r%d ::= \"a\"\n", depth)
		return b.String()
	}
	g, err := grammar.Parse(chain(16384))
	require.NoError(t, err)
	require.True(t, accepts(g, "a"))
	_, err = grammar.Parse(chain(16385))
	require.ErrorContains(t, err, "rules are nested too deeply")
}

func TestErrors(t *testing.T) {
	for rules, want := range map[string]string{
		`x ::= "a"`:                              "no rule root",
		`root ::= y`:                             "no rule y",
		`root ::= root "a"`:                      "begins with itself",
		`root ::= "a`:                            "ends within quotes",
		"root ::= \"a\"\nroot ::= \"b\"":         "line 2: there are two rules root",
		`root ::= ("a"`:                          "does not end",
		`root ::= "a"{3,1}`:                      `a repetition of 3 to "1"`,
		`root ::= "a"{x,1}`:                      `a repetition of "x"`,
		`root ::= "a"{-1}`:                       "a repetition of more than",
		"root ::= a b\na ::= \"\"\nb ::= a root": "begins with itself",
		`root "a"`:                               "no ::=",
		`root ::= "a" )`:                         "does not belong",
		"root ::= \"a\"\nx ::= <think>":          `line 2: "<think>" stands for a token`,
		`root ::= !<[5]>`:                        `line 1: "<[5]>" stands for a token, and there is no vocabulary`,
		`root ::= !x`:                            `line 1: "!x" is no token`,
		`root ::= ""* "a"`:                       "line 1: a repetition of nothing",
		`root ::= [\d]`:                          `line 1: \d is not known`,
		`root ::= "\/"`:                          `\/ is not known`,
		`root ::= "a" []`:                        "a class without characters",
		`root ::= [^]`:                           "a class without characters",
		`root ::= [z-a]`:                         `the range 'z' to 'a' is empty`,
	} {
		_, err := grammar.Parse(rules)
		require.ErrorContains(t, err, want, rules)
	}
	for schema, want := range map[string]string{
		`{"type":"string","pattern":"a(?=b)"}`:  "invalid or unsupported Perl syntax",
		`{"properties":{"a":{"multipleOf":3}}}`: `#/properties/a: "multipleOf" is not supported`,
		`{"properties":3}`:                      "#: properties: byte 1: there is a number, want an object",
		`3`:                                     "#: byte 1: there is a number, want an object",
		`{"type":"thing"}`:                      `no type "thing"`,
		`{"$ref":"https://example.com"}`:        "not within the schema",
		`{"$ref":"#/$defs/x"}`:                  "nothing at #/$defs/x",
		`{"$defs":{"a":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}`: "begins with itself",
		`{"$ref":"#"}`: "begins with itself",
		`{"type":"array","minItems":3,"maxItems":2}`:                                               "less than minItems",
		`{"oneOf":[{"type":"integer"},{"type":"number"}]}`:                                         "#/oneOf: a value may be of part 0 and of part 1",
		`{"oneOf":[{"type":"object","properties":{"a":{}}},{"type":"object"}]}`:                    "which oneOf forbids",
		`{"allOf":[{"properties":{"a":{}},"additionalProperties":false},{"properties":{"b":{}}}]}`: `such as "b"`,
		`{"allOf":[{"required":"a"}]}`:                                                             "#/allOf/0: required is no list of names",
		`{"type":"string","minLength":3,"maxLength":2}`:                                            "maxLength is less than minLength",
		`{"prefixItems":[{},{}],"items":false,"minItems":3}`:                                       "minItems is 3, and there are 2 elements",
		`{"type":"string","minLength":-1}`:                                                         "minLength",
		`{"type":"integer","enum":["a"]}`:                                                          "no value is of the type",
		`{"items":{"type":"integer","minimum":3,"maximum":2}}`:                                     "#/items: no number",
		`{"pattern":"a","minLength":3}`:                                                            "not supported beside a pattern",
		`[]`:                                                                                       "schema",
	} {
		_, err := grammar.Schema([]byte(schema))
		require.ErrorContains(t, err, want, schema)
	}
}

// TestBytes: characters may come in pieces, and bytes that begin none may not.
func TestBytes(t *testing.T) {
	g, err := grammar.Parse(`root ::= [é語]`)
	require.NoError(t, err)
	s := g.Start()
	_, ok := s.Next([]byte{0xc3})
	require.True(t, ok, "é may follow")
	_, ok = s.Next([]byte{0xc4})
	require.False(t, ok, "no character of the class begins so")
	half, ok := s.Next([]byte{0xe8, 0xaa})
	require.True(t, ok)
	require.False(t, half.Done())
	end, ok := half.Next([]byte{0x9e})
	require.True(t, ok)
	require.True(t, end.Ended())
	_, ok = s.Next([]byte{0xff})
	require.False(t, ok)
}

// TestEmptySchema: a text without a schema is a mistake, and not one that allows everything.
func TestEmptySchema(t *testing.T) {
	for _, text := range []string{"", " \n"} {
		_, err := grammar.Schema([]byte(text))
		require.EqualError(t, err, "schema: the text is empty; {} allows any value")
	}
}

// TestSchema: values of a schema are accepted, and others are not.
func TestSchema(t *testing.T) {
	for _, c := range []struct {
		schema  string
		yes, no []string
	}{
		{`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"},"c":{"type":"null"}},"required":["b"],"additionalProperties":false}`,
			[]string{`{"a": 1, "b": "x", "c": null}`, `{"b":"x"}`, `{"b":"x","c":null}`, `{"a":-0,"b":""}`},
			[]string{`{}`, `{"a":1}`, `{"b":"x","a":1}`, `{"b":"x","d":1}`, `{"b":"x",}`, `{"a":1.5,"b":"x"}`}},
		{`{"type":"object","additionalProperties":{"type":"boolean"}}`, []string{`{}`, `{"x":true,"y":false}`}, []string{`{"x":1}`}},
		{`{"type":"array","items":{"enum":["a",2,null]},"minItems":1,"maxItems":2}`, []string{`["a"]`, `[2, null]`}, []string{`[]`, `["a",2,2]`, `["b"]`}},
		{`{"anyOf":[{"const":"é"},{"type":["number","null"]}]}`, []string{`"é"`, `-1.5e+3`, `null`, `0`}, []string{`01`, `true`, `+1`}},
		{`{"$defs":{"tree":{"type":"object","properties":{"left":{"$ref":"#/$defs/tree"}},"additionalProperties":false}},"$ref":"#/$defs/tree"}`,
			[]string{`{}`, `{"left":{"left":{}}}`}, []string{`{"right":{}}`}},
		{`{"type":"object","properties":{"next":{"$ref":"#"}},"additionalProperties":false}`, []string{`{}`, `{"next":{"next":{}}}`}, []string{`{"next":1}`}},
		{`{"type":"string","minLength":1,"maxLength":2}`, []string{`"a"`, `"\n\u00e9"`, `"語語"`}, []string{`""`, `"abc"`, "\"\n\""}},
		{`{"allOf":[{"properties":{"a":{"type":"integer"}}},{"properties":{"b":{"type":"null"}},"required":["a","b"]}],"unevaluatedProperties":false}`,
			[]string{`{"a":1,"b":null}`}, []string{`{"a":1}`}},
		{`{"type":"array","prefixItems":[{"type":"integer"},{"type":"boolean"}],"items":false}`, []string{`[1,true]`}, []string{`[1]`, `[true,1]`}},
		{`{"type":"array","prefixItems":[{"type":"integer"}],"items":{"type":"boolean"},"maxItems":3}`,
			[]string{`[1]`, `[1,true]`, `[1,true,false]`}, []string{`[1,2]`, `[1,true,true,true]`, `[true]`}},
		{`{"type":"array","prefixItems":[{"type":"integer"}],"items":{"type":"boolean"},"minItems":3}`,
			[]string{`[1,true,true]`, `[1,true,false,true]`}, []string{`[1]`, `[1,true]`}},
		{`{"type":"array","items":{"type":"null"},"maxItems":0}`, []string{`[]`}, []string{`[null]`}},
		{`{"type":"array","items":{"type":"null"},"maxItems":1}`, []string{`[]`, `[null]`}, []string{`[null,null]`}},
		{`{"type":"string","minLength":2}`, []string{`"ab"`, `"abc"`}, []string{`""`, `"a"`}},
		{`{"type":"string"}`, []string{`""`, `"a"`, `"\u0000\uABCD\/"`}, []string{`"\x"`, `"\u12"`}},
		{`{"type":"number"}`, []string{`0`, `-0.5`, `10.25E-07`, `1e+100`}, []string{`.5`, `1.`, `1e`, `1e1000`, `00`}},
		{`{}`, []string{`{"a":[1,{"b":"c"}]}`, `"x"`, `[]`}, []string{`{a:1}`, `[1,]`}},
		{`{"type":"array","prefixItems":[{"type":"integer"},{"type":"boolean"}],"minItems":2,"maxItems":2}`, []string{`[1,true]`}, []string{`[1]`, `[1,true,1]`}},
		{`{"properties":{"a<b":{"type":"integer"}},"additionalProperties":true}`, []string{`{"a<b":1,"a<":"x","a<bc":"x"}`, `{"":"x"}`}, []string{`{"a<b":"x"}`, `{"\u0061<b":"x"}`}},
		{`{"type":"string","maxLength":1}`, []string{`"\ud83d\ude00"`, `"🙂"`}, []string{`"\ud83d"`, `"\ud83dx"`, `"\ude00"`}},
		{`{"format":"date"}`, []string{`"2024-02-29"`, `"1900-12-31"`}, []string{`"1900-02-29"`, `"2023-04-31"`, `"2023-13-01"`, `2023`}},
		{`{"format":"time"}`, []string{`"23:59:59Z"`, `"00:00:00.5+01:30"`}, []string{`"24:00:00Z"`, `"12:00:00"`}},
		{`{"format":"date-time"}`, []string{`"2012-04-23T18:25:43.511Z"`}, []string{`"2012-04-23 18:25:43Z"`}},
		{`{"format":"duration"}`, []string{`"P1Y2M3DT4H5M6S"`, `"PT5M"`, `"P3W"`}, []string{`"P"`, `"PT"`, `"P1W2D"`, `"P1Y3D"`}},
		{`{"format":"uuid"}`, []string{`"12345678-1234-1234-1234-1234567890ab"`}, []string{`"12345678-1234-1234-1234-1234567890"`}},
		{`{"format":"ipv4"}`, []string{`"255.0.10.199"`}, []string{`"256.0.0.1"`, `"1.2.3"`, `"01.2.3.4"`}},
		{`{"type":"integer","enum":[9223372036854775808,1e30,0.5]}`, []string{`9223372036854775808`, `1e30`}, []string{`0.5`}},
		{`{"format":"email"}`, []string{`"a.b+c@mail.example"`}, []string{`"a"`, `".a@b"`, `"a@-b"`}},
	} {
		g, err := grammar.Schema([]byte(c.schema))
		require.NoError(t, err, c.schema)
		for _, s := range c.yes {
			require.True(t, json.Valid([]byte(s)))
			require.True(t, accepts(g, s), "%s: %s", c.schema, s)
		}
		for _, s := range c.no {
			require.False(t, accepts(g, s), "%s: %s", c.schema, s)
		}
	}
}

// TestRandom: whatever texts are chosen among those that may come next, the result is JSON.
func TestRandom(t *testing.T) {
	var list []string
	for c := 1; c < 256; c++ {
		list = append(list, string([]byte{byte(c)}))
	}
	list = append(list, "true", "null", `":`, `{"`, "],", `"}`, "12", "é", "")
	texts := grammar.NewTexts(list, nil)
	r := rand.New(rand.NewPCG(1, 2))
	whole := 0
	for range 60 {
		s := grammar.JSON(true).Start()
		text := ""
		for range 200 {
			if s.Done() {
				break
			}
			var may []int
			s.Allowed(texts, func(i int) { may = append(may, i) })
			require.NotEmpty(t, may, "%q", text)
			next := list[may[r.IntN(len(may))]]
			var ok bool
			s, ok = s.Next([]byte(next))
			require.True(t, ok)
			text += next
		}
		if s.Done() {
			whole++
			require.True(t, json.Valid([]byte(text)), "%q", text)
		}
	}
	require.Positive(t, whole)
}

func Example() {
	g, err := grammar.Schema([]byte(`{"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}`))
	if err != nil {
		panic(err)
	}
	s, ok := g.Start().Next([]byte(`{"age": 4`))
	fmt.Println(ok, s.Done())
	_, ok = s.Next([]byte("x"))
	fmt.Println(ok)
	// Output:
	// true false
	// false
}
