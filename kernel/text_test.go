package kernel

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
)

const rowSum = `nest "row sum" outer=[4] inner=[8] {
  port f32 in len=32 offset=0 outer=[8] inner=[1]
  port f32 out len=4 offset=0 outer=[1] inner=[0]
  stage {
    %0 = load f32 port=0
    %1 = const f32 -0.5
    %2 = mul f32 %0 %1
    reduce sum f32 %2 init=0
    keep %2
  }
  once {
    %0 = acc f32 stage=0 number=0
    store f32 %0 port=1
  }
}
`

const packedProduct = `contraction "packed" batch=[] m=2 n=3 k=64 rounded=1 acc=f32 {
  a f32 in len=128 offset=0 batch=[] row=64 col=1
  b u8 in q8_0 len=204 offset=0 batch=[] row=34 col=68
  port f32 out len=6 offset=0 outer=[3,1]
  epilogue {
    %0 = input f32
    store f32 %0 port=2
  }
}
`

const unpacking = `unpack "blocks" {
  x u8 in mxfp4 len=34
  out f32 out len=64
}
`

const productText = `contraction "product" batch=[2] m=3 n=5 k=4 acc=f32 {
  a bf16 in len=24 offset=0 batch=[12] row=4 col=1
  b bf16 in const len=40 offset=0 batch=[20] row=5 col=1
  port f32 out len=30 offset=0 outer=[15,5,1]
  port f32 in len=5 offset=0 outer=[0,0,1]
  epilogue {
    %0 = input f32
    %1 = load f32 port=3
    %2 = add f32 %0 %1
    store f32 %2 port=2
  }
}
`

const patches = `convolution "patches" input=[1,2,4,4] output=[3,4,4] filter=[3,3] stride=[1,1] dilation=[1,1] pad=[1,1] groups=1 acc=f32 {
  x f32 in len=32 offset=0 strides=[32,16,4,1]
  filter f32 in len=54 offset=0 strides=[18,9,3,1]
  port f32 out len=48 offset=0 outer=[48,16,4,1]
  epilogue {
    %0 = input f32
    store f32 %0 port=2
  }
}
`

const heads = `attention "heads" batch=[2] queries=3 keys=5 dim=4 vdim=4 scale=0.5 causal=1 safe=1 acc=f32 {
  q f32 in len=24 offset=0 batch=[12] row=4 col=1
  k f32 in len=40 offset=0 batch=[20] row=4 col=1
  v f32 in len=40 offset=0 batch=[20] row=4 col=1
  o f32 out len=24 offset=0 batch=[12] row=4 col=1
  mask bool in len=15 offset=0 batch=[0] row=5 col=1 bool=1
}
`

const lookedUp = `attention "pages" batch=[2] queries=1 keys=4 dim=4 vdim=4 scale=0.5 causal=0 safe=1 acc=f32 {
  q f32 in len=8 offset=0 batch=[4] row=4 col=1
  k f16 in len=36 offset=0 batch=[0] row=4 col=1
  v f16 in len=36 offset=0 batch=[0] row=4 col=1
  o f32 out len=8 offset=0 batch=[4] row=4 col=1
  mask bool in len=8 offset=0 batch=[4] row=4 col=1 bool=1
  index i64 in len=8 offset=0 batch=[4] row=1 col=0 places=9
}
`

const packedKeys = `attention "blocks" batch=[2] queries=1 keys=4 dim=64 vdim=32 scale=0.5 cap=30 causal=0 safe=0 acc=f32 {
  q f32 in len=128 offset=0 batch=[64] row=64 col=1
  k u8 in q8_0 len=612 offset=0 batch=[0] row=68 col=34
  v u8 in q8_0 len=306 offset=0 batch=[0] row=34 col=34
  o f32 out len=64 offset=0 batch=[32] row=32 col=1
  sinks f32 in len=2 offset=0 batch=[1] row=0 col=0
  index i64 in len=8 offset=0 batch=[4] row=1 col=0 places=9
}
`

func TestTextRoundTrip(t *testing.T) {
	for _, text := range []string{rowSum, productText, patches, heads, lookedUp, packedKeys, runningSum, topTwo, addRows,
		randomBits, packedProduct, unpacking} {
		k, err := Parse(text)
		require.NoError(t, err)
		require.NoError(t, Verify(k))
		require.Equal(t, text, k.String())
	}
}

func TestLiterals(t *testing.T) {
	for _, d := range dtype.All() {
		if d.IsComplex() {
			continue
		}
		for _, v := range []float64{0, 1, -1, 0.1, 65504, 1e30, math.Inf(1), math.NaN(), math.Copysign(0, -1)} {
			if d == dtype.Bool && v != 0 && v != 1 || !d.IsFloat() && (v != math.Trunc(v) || math.Abs(v) > 100) {
				continue
			}
			n := &Nest{Stages: []Stage{{Body: Body{{Op: Const, Type: d, Imm: Bits(d, v)}}}}}
			k, err := Parse(n.String())
			require.NoError(t, err, n.String())
			require.Equal(t, n.Stages[0].Body, k.(*Nest).Stages[0].Body, "%v %v", d, v)
		}
	}
}

// TestOpNames checks that every operation has a name of its own.
func TestOpNames(t *testing.T) {
	seen := make(map[string]Op)
	for _, op := range Ops() {
		require.NotEmpty(t, op.String())
		require.NotContains(t, seen, op.String())
		seen[op.String()] = op
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "want one kernel",
		"nest":                       "line 1: want: kind",
		"nope \"x\" {\n}":            "line 1: unknown kind",
		"nest \"x\" {\n}":            "line 1: outer=[...] is missing",
		rowSum + rowSum:              "want one kernel",
		rowSum[:len(rowSum)-2]:       "block is not closed",
		"}\n":                        "line 1: unexpected }",
		"nest \"x {\n":               "line 1: string is not closed",
		"nest \"x\" outer=1 outer=2": "line 1: outer given twice",
		strings.Replace(heads, "offset=", "color=3 offset=", 1):            "unexpected color=3",
		strings.Replace(rowSum, "mul f32 %0 %1", "mul f32 %0", 1):          "mul takes 2 operands",
		strings.Replace(rowSum, "mul f32 %0 %1", "mult f32 %0 %1", 1):      `there is no operation "mult"`,
		strings.Replace(rowSum, "%2 = mul", "mul", 1):                      "mul gives a value, and has no number: want %2 = mul",
		strings.Replace(rowSum, "store f32", "%1 = store f32", 1):          "store gives no value, and %1 is the number of one",
		strings.Replace(rowSum, "%2 = mul", "%3 = mul", 1):                 "%3 is instruction %2",
		strings.Replace(rowSum, "reduce sum", "reduce most", 1):            "unknown reduction",
		strings.Replace(rowSum, "port f32 in len=32", "port f33 len=1", 1): "unknown element type",
		strings.Replace(rowSum, "keep %2", "keep two", 1):                  "want a value",
		strings.Replace(rowSum, "len=32", "len=x", 1):                      "bad integer",
		strings.Replace(heads, "scale=0.5", "scale=half", 1):               "scale: bad number",
		strings.Replace(heads, "\n  k f32", "\n  q f32", 1):                "line 3: operand q is given twice",
		strings.Replace(heads, "\n  k f32", "\n  l f32", 1):                `line 3: unexpected "l"`,
		heads[:strings.Index(heads, "  q")] + "}\n":                        "line 1: operand q is missing",
		heads[:strings.Index(heads, "  v")] + "}\n":                        "line 1: operand v is missing",
	} {
		_, err := Parse(text)
		require.ErrorContains(t, err, want, text)
	}
}

func TestVerifyRefuses(t *testing.T) {
	for edit, want := range map[[2]string]string{
		{"len=32", "len=31"}:                             "elements 0 to 31 of a port of 31",
		{"outer=[8] inner=[1]", "outer=[-8] inner=[1]"}:  "elements -24",
		{"outer=[1] inner=[0]", "outer=[0] inner=[0]"}:   "every point of parallel loop 0",
		{"outer=[1] inner=[0]", "outer=[1,1] inner=[0]"}: "strides for 1+1 loops",
		{"load f32 port=0", "load f32 port=7"}:           "port 7",
		{"load f32 port=0", "load f64 port=0"}:           "type f64, port 0 has f32",
		{"mul f32 %0 %1", "mul f32 %0 %5"}:               "operand %5",
		{"mul f32 %0 %1", "and f32 %0 %1"}:               "operands of f32",
		{"mul f32 %0 %1", "mul f64 %0 %1"}:               "type f64, operands give f32",
		{"mul f32 %0 %1", "lt f32 %0 %1"}:                "type f32, operands give bool",
		{"store f32 %0 port=1", "store f32 %0 port=0"}:   "port 0 is not written",
		{"stage=0 number=0", "stage=1 number=0"}:         "stage 1",
		{"stage=0 number=0", "stage=0 number=1"}:         "reduction 1 of 1",
		{"reduce sum f32", "reduce and f32"}:             "and of f32",
		{"inner=[8]", "inner=[-8]"}:                      "extent -8",
		{"outer=[4]", "outer=[4000000000000000]"}:        "outer loops: extent",
	} {
		k, err := Parse(strings.Replace(rowSum, edit[0], edit[1], 1))
		require.NoError(t, err)
		require.ErrorContains(t, Verify(k), want, edit[1])
	}
	for edit, want := range map[[2]string]string{
		{"k=4", "k=5"}:                 "A: elements",
		{"port=3", "port=1"}:           "port 1",
		{"acc=f32", "acc=i32"}:         "bf16 products summed in i32",
		{"input f32", "input f64"}:     "type f64, want f32",
		{"batch=[12]", "batch=[]"}:     "2 strides for 3 loops",
		{"[15,5,1]", "[15,0,1]"}:       "every point of parallel loop 1",
		{"f32 out len", "c64 out len"}: "port 2 has c64",
	} {
		k, err := Parse(strings.Replace(productText, edit[0], edit[1], 1))
		require.NoError(t, err)
		require.ErrorContains(t, Verify(k), want, edit[1])
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{rowSum, productText, patches, heads, lookedUp, packedKeys, runningSum, topTwo, addRows,
		randomBits, packedProduct, unpacking} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		k, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(k.String())
		if err != nil {
			t.Fatalf("%v\n%s", err, k)
		}
		if again.String() != k.String() {
			t.Fatalf("%s\nbecomes\n%s", k, again)
		}
		_ = Verify(k)
	})
}

// TestBlocks: blocks are whole, read, and inside of their port.
func TestBlocks(t *testing.T) {
	for _, change := range [][2]string{
		{"k=64", "k=48"}, {"row=34 col=68", "row=1 col=68"}, {"col=68", "col=69"}, {"col=68", "col=102"}, {"len=204", "len=203"},
		{"b u8 in", "b i8 in"}, {"b u8 in", "b u8 out"}, {"q8_0 ", ""}, {"acc=f32", "acc=f64"}, {"a f32 in", "a u8 in q8_0"},
		{"offset=0 batch=[] row=34", "offset=1 batch=[] row=34"}, {"offset=0 batch=[] row=34", "offset=0 batch=[2] row=34"},
		{"x u8", "x f32"}, {"x u8 in mxfp4", "x u8 in"}, {"len=34\n", "len=33\n"}, {"out len=64", "out len=63"}, {"out f32", "out f64"},
	} {
		text := packedProduct
		if !strings.Contains(text, change[0]) || change[0] == "out f32" {
			text = unpacking
		}
		require.Contains(t, text, change[0])
		k, err := Parse(strings.Replace(text, change[0], change[1], 1))
		require.NoError(t, err)
		require.Error(t, Verify(k), change)
	}
}
