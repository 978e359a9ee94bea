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
	_, err = Read([]byte("(NNNN"), Limits{Values: 3})
	assert.EqualError(t, err, "byte 4: the pickle has more than 3 values")
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
