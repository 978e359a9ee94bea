package pickle

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sample is one dict that CPython wrote in each protocol, with pickle.dumps(v, protocol):
//
//	v = {'a': [1, -2, 3.5, None, True, False], 'b': (1, (2,), ()), 'c': b'\x00\xff',
//	     'd': "h\u00e9\U0001F600\\u", 'e': 2**70, 'f': -2**63, 'g': -2**63-1, 'h': 300,
//	     'i': 70000, 's': {1}}
var sample = [...]string{
	0: "(dp0\x0aVa\x0ap1\x0a(lp2\x0aI1\x0aaI-2\x0aaF3.5\x0aaNaI01\x0aaI00\x0aasVb\x0ap3\x0a(I1\x0a(I2\x0atp4\x0a(ttp5\x0asVc\x0ap6\x0ac_codecs\x0aencode\x0ap7\x0a(V\\u0000\xff\x0ap8\x0aVlatin1\x0ap9\x0atp10\x0aRp11\x0asVd\x0ap12\x0aVh\xe9\\U0001f600\\u005cu\x0ap13\x0asVe\x0ap14\x0aL1180591620717411303424L\x0asVf\x0ap15\x0aL-9223372036854775808L\x0asVg\x0ap16\x0aL-9223372036854775809L\x0asVh\x0ap17\x0aI300\x0asVi\x0ap18\x0aI70000\x0asVs\x0ap19\x0ac__builtin__\x0aset\x0ap20\x0a((lp21\x0aI1\x0aatp22\x0aRp23\x0as.",
	1: "}q\x00(X\x01\x00\x00\x00aq\x01]q\x02(K\x01J\xfe\xff\xff\xffG@\x0c\x00\x00\x00\x00\x00\x00NI01\x0aI00\x0aeX\x01\x00\x00\x00bq\x03(K\x01(K\x02tq\x04)tq\x05X\x01\x00\x00\x00cq\x06c_codecs\x0aencode\x0aq\x07(X\x03\x00\x00\x00\x00\xc3\xbfq\x08X\x06\x00\x00\x00latin1q\x09tq\x0aRq\x0bX\x01\x00\x00\x00dq\x0cX\x09\x00\x00\x00h\xc3\xa9\xf0\x9f\x98\x80\\uq\x0dX\x01\x00\x00\x00eq\x0eL1180591620717411303424L\x0aX\x01\x00\x00\x00fq\x0fL-9223372036854775808L\x0aX\x01\x00\x00\x00gq\x10L-9223372036854775809L\x0aX\x01\x00\x00\x00hq\x11M,\x01X\x01\x00\x00\x00iq\x12Jp\x11\x01\x00X\x01\x00\x00\x00sq\x13c__builtin__\x0aset\x0aq\x14(]q\x15K\x01atq\x16Rq\x17u.",
	2: "\x80\x02}q\x00(X\x01\x00\x00\x00aq\x01]q\x02(K\x01J\xfe\xff\xff\xffG@\x0c\x00\x00\x00\x00\x00\x00N\x88\x89eX\x01\x00\x00\x00bq\x03K\x01K\x02\x85q\x04)\x87q\x05X\x01\x00\x00\x00cq\x06c_codecs\x0aencode\x0aq\x07X\x03\x00\x00\x00\x00\xc3\xbfq\x08X\x06\x00\x00\x00latin1q\x09\x86q\x0aRq\x0bX\x01\x00\x00\x00dq\x0cX\x09\x00\x00\x00h\xc3\xa9\xf0\x9f\x98\x80\\uq\x0dX\x01\x00\x00\x00eq\x0e\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00@X\x01\x00\x00\x00fq\x0f\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80X\x01\x00\x00\x00gq\x10\x8a\x09\xff\xff\xff\xff\xff\xff\xff\x7f\xffX\x01\x00\x00\x00hq\x11M,\x01X\x01\x00\x00\x00iq\x12Jp\x11\x01\x00X\x01\x00\x00\x00sq\x13c__builtin__\x0aset\x0aq\x14]q\x15K\x01a\x85q\x16Rq\x17u.",
	3: "\x80\x03}q\x00(X\x01\x00\x00\x00aq\x01]q\x02(K\x01J\xfe\xff\xff\xffG@\x0c\x00\x00\x00\x00\x00\x00N\x88\x89eX\x01\x00\x00\x00bq\x03K\x01K\x02\x85q\x04)\x87q\x05X\x01\x00\x00\x00cq\x06C\x02\x00\xffq\x07X\x01\x00\x00\x00dq\x08X\x09\x00\x00\x00h\xc3\xa9\xf0\x9f\x98\x80\\uq\x09X\x01\x00\x00\x00eq\x0a\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00@X\x01\x00\x00\x00fq\x0b\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80X\x01\x00\x00\x00gq\x0c\x8a\x09\xff\xff\xff\xff\xff\xff\xff\x7f\xffX\x01\x00\x00\x00hq\x0dM,\x01X\x01\x00\x00\x00iq\x0eJp\x11\x01\x00X\x01\x00\x00\x00sq\x0fcbuiltins\x0aset\x0aq\x10]q\x11K\x01a\x85q\x12Rq\x13u.",
	4: "\x80\x04\x95\x8c\x00\x00\x00\x00\x00\x00\x00}\x94(\x8c\x01a\x94]\x94(K\x01J\xfe\xff\xff\xffG@\x0c\x00\x00\x00\x00\x00\x00N\x88\x89e\x8c\x01b\x94K\x01K\x02\x85\x94)\x87\x94\x8c\x01c\x94C\x02\x00\xff\x94\x8c\x01d\x94\x8c\x09h\xc3\xa9\xf0\x9f\x98\x80\\u\x94\x8c\x01e\x94\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00@\x8c\x01f\x94\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80\x8c\x01g\x94\x8a\x09\xff\xff\xff\xff\xff\xff\xff\x7f\xff\x8c\x01h\x94M,\x01\x8c\x01i\x94Jp\x11\x01\x00\x8c\x01s\x94\x8f\x94(K\x01\x90u.",
	5: "\x80\x05\x95\x8c\x00\x00\x00\x00\x00\x00\x00}\x94(\x8c\x01a\x94]\x94(K\x01J\xfe\xff\xff\xffG@\x0c\x00\x00\x00\x00\x00\x00N\x88\x89e\x8c\x01b\x94K\x01K\x02\x85\x94)\x87\x94\x8c\x01c\x94C\x02\x00\xff\x94\x8c\x01d\x94\x8c\x09h\xc3\xa9\xf0\x9f\x98\x80\\u\x94\x8c\x01e\x94\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00@\x8c\x01f\x94\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80\x8c\x01g\x94\x8a\x09\xff\xff\xff\xff\xff\xff\xff\x7f\xff\x8c\x01h\x94M,\x01\x8c\x01i\x94Jp\x11\x01\x00\x8c\x01s\x94\x8f\x94(K\x01\x90u.",
}

// show writes a tree in a short form of Python's.
func show(v Value) string {
	list := func(items []Value) string {
		parts := make([]string, len(items))
		for i, item := range items {
			parts[i] = show(item)
		}
		return strings.Join(parts, " ")
	}
	entries := func(es []Entry) string {
		parts := make([]string, len(es))
		for i, e := range es {
			parts[i] = show(e.Key) + ":" + show(e.Value)
		}
		return "{" + strings.Join(parts, " ") + "}"
	}
	switch v := v.(type) {
	case nil:
		return "None"
	case string:
		return fmt.Sprintf("%q", v)
	case Bytes:
		return fmt.Sprintf("b%q", string(v))
	case *Tuple:
		return "(" + list(v.Items) + ")"
	case *List:
		return "[" + list(v.Items) + "]"
	case *Set:
		return "<" + list(v.Items) + ">"
	case *Dict:
		return entries(v.Entries)
	case *Global:
		return v.String()
	case *Reference:
		return "@" + show(v.ID)
	case *Object:
		s := show(v.Callee) + "(" + list(v.Args) + ")"
		if v.Keywords != nil {
			s += entries(v.Keywords.Entries)
		}
		if v.Built {
			s += "<-" + show(v.State)
		}
		if v.Appended != nil {
			s += "[" + list(v.Appended) + "]"
		}
		if v.Entries != nil {
			s += entries(v.Entries)
		}
		return s
	case *big.Int:
		return v.String()
	default:
		return fmt.Sprint(v)
	}
}

func TestEveryProtocol(t *testing.T) {
	const head = `{"a":[1 -2 3.5 None true false] "b":(1 (2) ()) "c":`
	const tail = ` "d":"hé😀\\u" "e":1180591620717411303424 "f":-9223372036854775808 ` +
		`"g":-9223372036854775809 "h":300 "i":70000 "s":`
	for protocol, text := range sample {
		v, size, err := ReadPrefix([]byte(text+"tail"), Limits{})
		require.NoError(t, err, "protocol %d", protocol)
		assert.Equal(t, len(text), size)
		bytes, set := `b"\x00\xff"`, "<1>"
		if protocol < 3 { // Python 2 had no bytes: a call spells them
			bytes = `_codecs.encode("\x00ÿ" "latin1")`
		}
		if protocol < 3 {
			set = "__builtin__.set([1])"
		} else if protocol == 3 {
			set = "builtins.set([1])"
		}
		assert.Equal(t, head+bytes+tail+set+"}", show(v), "protocol %d", protocol)
	}
}

func TestObjectsAreData(t *testing.T) {
	for text, want := range map[string]string{
		"\x80\x02ccollections\nOrderedDict\nq\x00)Rq\x01X\x01\x00\x00\x00xq\x02K\x01s.":            `collections.OrderedDict(){"x":1}`,
		"\x80\x04\x8c\x0bcollections\x94\x8c\x0bOrderedDict\x94\x93\x94)R\x94\x8c\x01x\x94K\x01s.": `collections.OrderedDict(){"x":1}`,
		"cos\nsystem\n(S'rm -rf /'\ntR.":            `os.system("rm -rf /")`,
		"cm\nC\n)\x81}X\x01\x00\x00\x00aK\x01sb.":   `m.C()<-{"a":1}`,
		"cm\nC\n(K\x01K\x02o.":                      "",
		"(cm\nC\nK\x01K\x02o.":                      "m.C(1 2)",
		"(K\x01im\nC\n.":                            "m.C(1)",
		"cm\nC\n)}\x92.":                            "m.C(){}",
		"cm\nC\n)R(K\x01K\x02e.":                    "m.C()[1 2]",
		"X\x01\x00\x00\x000Q.":                      `@"0"`,
		"Pname\n.":                                  `@"name"`,
		"S'a\\x41\\n\\''\n.":                        `"aA\n'"`,
		"(K\x01K\x02d.":                             "{1:2}",
		"(K\x01K\x02l.":                             "[1 2]",
		"K\x012K\x00\x860.":                         "1",
		"K\x01(K\x021.":                             "1",
		"K\x01(0.":                                  "1",
		"K\x07p5\n0g5\n.":                           "7",
		"K\x07r\x00\x00\x01\x000j\x00\x00\x01\x00.": "7",
		"cm\nC\nK\x01R.":                            "m.C(1)",
		"L-12L\n.":                                  "-12",
		"I-5\n.":                                    "-5",
		"K\xff.":                                    "255",
		"M\xff\xff.":                                "65535",
		"J\xff\xff\xff\xff.":                        "-1",
		"\x8a\x00.":                                 "0",
		"\x8a\x01\xff.":                             "-1",
		"\x8a\x02\x00\x80.":                         "-32768",
		"\x8b\x02\x00\x00\x00\x00\x01.":             "256",
		"\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\x01.":  "18446744073709551616",
		"G\xc0\x0c\x00\x00\x00\x00\x00\x00.":             "-3.5",
		"F-1e400\n.":                                     "-Inf",
		"U\x03abc.":                                      `"abc"`,
		"T\x03\x00\x00\x00abc.":                          `"abc"`,
		"X\x02\x00\x00\x00\xc3\xa9.":                     "\"é\"",
		"\x8c\x01a.":                                     `"a"`,
		"\x8d\x02\x00\x00\x00\x00\x00\x00\x00ab.":        `"ab"`,
		"B\x02\x00\x00\x00a\xff.":                        `b"a\xff"`,
		"C\x01\xff.":                                     `b"\xff"`,
		"\x8e\x02\x00\x00\x00\x00\x00\x00\x00ab.":        `b"ab"`,
		"\x96\x02\x00\x00\x00\x00\x00\x00\x00ab.":        `b"ab"`,
		"S\"a'\"\n.":                                     `"a'"`,
		"S''\n.":                                         `""`,
		"S'\\xff\\u00e9'\n.":                             "\"\\xffé\"",
		"V\\u00e9\\U0001f600\n.":                         `"é😀"`,
		"V\xe9\\u00\\n\\\n.":                             "\"é\\\\u00\\\\n\\\\\"",
		"V\\uzzzz\n.":                                    `"\\uzzzz"`,
		"(K\x01K\x02\x91.":                               "<1 2>",
		"\x8f(K\x01\x90(K\x02K\x03\x90.":                 "<1 2 3>",
		"K\x01K\x02K\x03\x87.":                           "(1 2 3)",
		"]K\x01aK\x02a(K\x03e.":                          "[1 2 3]",
		"}K\x01K\x02s(K\x03K\x04u.":                      "{1:2 3:4}",
		"cm\nC\n)RK\x01a(K\x02eK\x03K\x04s(K\x05K\x06u.": "m.C()[1 2]{3:4 5:6}",
		"cm\nC\nK\x01\x85}K\x02K\x03s\x92.":              "m.C(1){2:3}",
		"K\x01)R.":                                       "1()",
		"K\x07q\x05K\x08\x940h\x01h\x05\x87.":            "(7 8 7)",
		"(K\x01(K\x02ll.":                                "[1 [2]]",
	} {
		v, err := Read([]byte(text), Limits{})
		if want == "" {
			assert.Error(t, err, "%q", text)
			continue
		}
		require.NoError(t, err, "%q", text)
		assert.Equal(t, want, show(v), "%q", text)
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "byte 0: the input ends without a STOP instruction",
		"\x80\x02":                              "byte 2: the input ends without a STOP instruction",
		"\x80\x09.":                             "byte 0: protocol 9 is newer than 5",
		"\x80\x02\xff.":                         "byte 2: 0xff is not an instruction of a pickle",
		".":                                     "byte 0: the stack is empty",
		"K\x01K\x02.":                           "byte 4: STOP leaves 1 values on the stack",
		"X\xff\xff\xff\x7fabc":                  "byte 0: the input ends inside of a string: 2147483647 bytes wanted, 3 left",
		"\x8d\xff\xff\xff\xff\xff\xff\xff\xffa": "byte 0: the input ends inside of a string: 18446744073709551615 bytes wanted, 1 left",
		"\x8b\xff\xff\xff\xff":                  "byte 0: an integer of 4294967295 bytes exceeds the limit of 1024",
		"X\x01\x00\x00\x00\xff.":                "byte 0: a string is not valid UTF-8",
		"h\x07.":                                "byte 0: nothing is stored at index 7 of the memo",
		"K\x01K\x02\x81.":                       "byte 4: arguments are an int, not a tuple",
		"K\x01}b.":                              "byte 3: BUILD of an int",
		"K\x01K\x02a.":                          "byte 4: APPEND to an int",
		"}(K\x01u.":                             "byte 4: a dict has a key without a value",
		"t.":                                    "byte 0: there is no mark on the stack",
		"K\x01(\x85.":                           "byte 3: the stack is empty",
		"\x82\x01.":                             "byte 0: instruction 0x82 needs Python's extension registry",
		"\x97.":                                 "byte 0: instruction 0x97 needs a buffer that is kept outside of the pickle",
		"cos\nsystem":                           "byte 0: the input ends inside of a name",
		"Iabc\n.":                               `byte 0: "abc" is not an integer`,
		"Fabc\n.":                               `byte 0: "abc" is not a float`,
		"Sabc\n.":                               `byte 0: "abc" is not a quoted string`,
		"\x95\xff\x00\x00\x00\x00\x00\x00\x00":  "byte 0: a frame of 255 bytes, but 0 are left",
		"gabc\n.":                               `byte 0: "abc" is not an index`,
		"g4294967296\n.":                        `byte 0: "4294967296" is not an index`,
		"K\x01K\x02\x93.":                       "byte 4: STACK_GLOBAL of an int and an int",
		"U\x01aK\x02\x93.":                      "byte 5: STACK_GLOBAL of a str and an int",
		"cm\nC\n)K\x01\x92.":                    "byte 8: keyword arguments are an int",
		"(o.":                                   "byte 1: OBJ without a class",
		"K\x01(K\x02\x90.":                      "byte 5: ADDITEMS to an int",
		"K\x01K\x02K\x03s.":                     "byte 6: SETITEM on an int",
		"S'\n.":                                 `byte 0: "'" is not a quoted string`,
		"S'ab\"\n.":                             `byte 0: "'ab\"" is not a quoted string`,
		"S'a\\q'\n.":                            `byte 0: "'a\\q'" is not a quoted string`,
		"I" + strings.Repeat("7", 1025) + "\n.": "byte 0: an integer of 1025 digits exceeds the limit of 1024",
		"\x8b\x01\x04\x00\x00" + "a":            "byte 0: an integer of 1025 bytes exceeds the limit of 1024",
		"\x98.":                                 "byte 0: instruction 0x98 needs a buffer that is kept outside of the pickle",
		"\x83\x01.":                             "byte 0: instruction 0x83 needs Python's extension registry",
		"\x84\x01.":                             "byte 0: instruction 0x84 needs Python's extension registry",
		")" + strings.Repeat("\x85", 3000):      "byte 2001: containers are nested more than 2000 deep",
		strings.Repeat("(", 3000):               "byte 2000: marks are nested more than 2000 deep",
	} {
		_, err := Read([]byte(text), Limits{})
		assert.EqualError(t, err, want, "%.40q", text)
		var positioned *Error
		assert.True(t, errors.As(err, &positioned))
	}
	_, err := Read(make([]byte, 100), Limits{Bytes: 10})
	assert.EqualError(t, err, "byte 0: 100 bytes exceed the limit of 10")
	_, err = Read([]byte("K\x01."), Limits{Bytes: 3, Values: 1})
	assert.NoError(t, err)
	_, err = Read([]byte(")\x85\x85\x85\x85."), Limits{Depth: 3})
	assert.EqualError(t, err, "byte 4: containers are nested more than 3 deep")
	_, err = Read([]byte(")\x85\x85\x85."), Limits{Depth: 3})
	assert.NoError(t, err)
	_, err = Read([]byte("I1234\n."), Limits{LongDigits: 3})
	assert.EqualError(t, err, "byte 0: an integer of 4 digits exceeds the limit of 3")
	_, err = Read([]byte("I123\n."), Limits{LongDigits: 3})
	assert.NoError(t, err)
	_, err = Read([]byte("Nq\x00q\x01q\x02."), Limits{Values: 3})
	assert.EqualError(t, err, "byte 5: the pickle has more than 3 values")
	_, err = Read([]byte("Nq\x00h\x000."), Limits{Values: 3})
	assert.NoError(t, err)
	_, err = Read([]byte("(NNNN"), Limits{Values: 3})
	assert.EqualError(t, err, "byte 4: the pickle has more than 3 values")
}

// TestTruthValues: 00 and 01 are truth values of INT and numbers of LONG.
func TestTruthValues(t *testing.T) {
	for text, want := range map[string]bool{"I00\n.": false, "I01\n.": true} {
		v, err := Read([]byte(text), Limits{})
		assert.NoError(t, err)
		assert.Equal(t, want, v)
	}
	for text, same := range map[string]string{"L00\n.": "K\x00.", "L01\n.": "K\x01.", "L01L\n.": "K\x01."} {
		v, err := Read([]byte(text), Limits{})
		assert.NoError(t, err)
		number, err := Read([]byte(same), Limits{})
		assert.NoError(t, err)
		assert.Equal(t, number, v, text)
	}
}

// Messages name the type of a value in Python's words.
func TestKinds(t *testing.T) {
	for text, want := range map[string]string{
		"N": "None", "\x88": "a bool", "K\x01": "an int", "\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\x01": "a large int", "F1\n": "a float",
		"U\x01a": "a str", "C\x01a": "bytes", ")": "a tuple", "]": "a list", "}": "a dict", "(\x91": "a set", "cm\nC\n": "the global m.C",
		"Pname\n": "a persistent reference", "cm\nC\n)R": "an object made by m.C", "K\x01)R": "an object",
	} {
		v, err := Read([]byte(text+"."), Limits{})
		require.NoError(t, err, "%q", text)
		assert.Equal(t, want, Kind(v), "%q", text)
	}
}

// Everything that holds values counts its nesting.
func TestNesting(t *testing.T) {
	for name, c := range map[string][2]string{
		"tuple": {"", "\x85"}, "pair": {"N", "\x86"}, "three": {"NN", "\x87"}, "tuple of a mark": {"(", "t"}, "list": {"(", "l"}, "append": {"]", "a"},
		"appends": {"](", "e"}, "dict": {"(N", "d"}, "set item": {"}N", "s"}, "key": {"}", "Ns"}, "set items": {"}(N", "u"}, "frozen set": {"(", "\x91"},
		"set": {"\x8f(", "\x90"}, "reference": {"", "Q"}, "argument": {"cm\nC\n", "R"}, "callee": {"", ")R"}, "new": {"cm\nC\n", "\x85\x81"},
		"keywords": {"cm\nC\n)}N", "s\x92"}, "state": {"cm\nC\n)R", "b"}, "appended": {"cm\nC\n)R", "a"}, "entry": {"cm\nC\n)RN", "s"},
	} {
		text := func(depth int) []byte {
			return []byte(strings.Repeat(c[0], depth) + "N" + strings.Repeat(c[1], depth) + ".")
		}
		_, err := Read(text(20), Limits{Depth: 60})
		assert.NoError(t, err, name)
		_, err = Read(text(61), Limits{Depth: 60})
		assert.ErrorContains(t, err, "are nested more than 60 deep", name)
	}
}

// Every prefix of a pickle is an error, never a panic and never a value.
func TestTruncated(t *testing.T) {
	for protocol, text := range sample {
		for n := range len(text) {
			_, err := Read([]byte(text[:n]), Limits{})
			assert.Error(t, err, "protocol %d, %d bytes", protocol, n)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range sample {
		f.Add([]byte(text))
	}
	f.Add([]byte("cm\nC\n)\x81}X\x01\x00\x00\x00aK\x01sb."))
	f.Add([]byte("]q\x00h\x00a."))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, size, err := ReadPrefix(data, Limits{})
		if size < 0 || size > len(data) || err == nil && data[size-1] != opStop {
			t.Fatalf("read %d of %d bytes: %v", size, len(data), err)
		}
	})
}

func ExampleRead() {
	// What collections.OrderedDict(x=1) becomes under protocol 2.
	v, err := Read([]byte("\x80\x02ccollections\nOrderedDict\n)RX\x01\x00\x00\x00xK\x01s."), Limits{})
	if err != nil {
		panic(err)
	}
	object := v.(*Object)
	fmt.Println(object.Callee, object.Entries[0].Key, object.Entries[0].Value)
	_, err = Read([]byte("\x80\x02}X\xff\x00\x00\x00"), Limits{})
	fmt.Println(err)
	// Output:
	// collections.OrderedDict x 1
	// byte 3: the input ends inside of a string: 255 bytes wanted, 0 left
}
