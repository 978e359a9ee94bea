package onnx

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// program is a small model in text, a line for each tensor, node and wanted result:
//
//	x = i64 2x3: 1 2 3 4 5 6
//	y, z = Split(x, "") axis=1 mode="a" alpha=1.5 pads=[1,2] scales=[1.5,2.0]
//	want y = i64 2x1: 1 4
//
// A domain stands before an operator, with a dot between. The model's version is 24 unless a line
// says another one, as in "version 9".
type program struct {
	version int64
	// classical is the version of ai.onnx.ml, 5 unless a line says another one, as in "classical 1".
	classical int64
	names     []string // of the tensors
	tensors   map[string]*buf.Buffer
	nodes     [][]byte
	wanted    []string
	want      map[string]*buf.Buffer
}

func newProgram(t *testing.T, text string) *program {
	p := &program{version: 24, classical: 5, tensors: map[string]*buf.Buffer{}, want: map[string]*buf.Buffer{}}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		left, right, ok := strings.Cut(line, " = ")
		if version, found := strings.CutPrefix(line, "version "); found {
			p.version, _ = strconv.ParseInt(version, 10, 64)
			continue
		}
		if version, found := strings.CutPrefix(line, "classical "); found {
			p.classical, _ = strconv.ParseInt(version, 10, 64)
			continue
		}
		if line == "" {
			continue
		}
		require.True(t, ok, line)
		if name, found := strings.CutPrefix(left, "want "); found {
			p.wanted, p.want[name] = append(p.wanted, name), tensorOf(t, right)
		} else if strings.Contains(right, "(") {
			p.nodes = append(p.nodes, nodeOf(t, strings.Split(left, ", "), right))
		} else {
			p.names, p.tensors[left] = append(p.names, left), tensorOf(t, right)
		}
	}
	return p
}

func tensorOf(t *testing.T, text string) *buf.Buffer {
	head, values, ok := strings.Cut(text, ":")
	require.True(t, ok, text)
	name, extents, _ := strings.Cut(head, " ")
	var dims []int
	for _, e := range strings.FieldsFunc(extents, func(r rune) bool { return r == 'x' }) {
		n, err := strconv.Atoi(e)
		require.NoError(t, err, text)
		dims = append(dims, n)
	}
	d, err := dtype.Parse(name)
	require.NoError(t, err, text)
	b := buf.New(d, dims)
	list := strings.Fields(values)
	require.Len(t, list, b.Len(), text)
	for i, v := range list {
		if d.IsFloat() {
			x, err := strconv.ParseFloat(v, 64)
			require.NoError(t, err, text)
			b.SetFloat64(i, x)
		} else {
			x, err := strconv.ParseInt(v, 10, 64)
			require.NoError(t, err, text)
			b.SetInt64(i, x)
		}
	}
	return b
}

func nodeOf(t *testing.T, outputs []string, text string) []byte {
	op, rest, _ := strings.Cut(text, "(")
	args, attributes, ok := strings.Cut(rest, ")")
	require.True(t, ok, text)
	var inputs []string
	if args != "" {
		inputs = strings.Split(strings.ReplaceAll(args, `""`, ""), ", ")
	}
	var list [][]byte
	for _, field := range strings.Fields(attributes) {
		key, value, ok := strings.Cut(field, "=")
		require.True(t, ok, text)
		list = instead(list, attributeOf(t, key, value))
	}
	domain, name := "", op
	if i := strings.LastIndexByte(op, '.'); i >= 0 {
		domain, name = op[:i], op[i+1:]
	}
	return putBytes(1, nodeBody("", name, inputs, outputs, list...), putText(7, domain))
}

func attributeOf(t *testing.T, key, value string) []byte {
	out := putText(1, key)
	list := []string{value}
	ints, floats, kind := 3, 2, int64(2)
	if s, ok := strings.CutPrefix(value, "["); ok {
		list, ints, floats = strings.Split(strings.TrimSuffix(s, "]"), ","), 8, 7
	}
	for _, v := range list {
		switch {
		case v == "":
		case strings.HasPrefix(v, `"`):
			field := 4
			if ints == 8 {
				field = 9
			}
			out, kind = append(out, putText(field, strings.Trim(v, `"`))...), 3
		case strings.Contains(v, "."), v == "nan":
			x, err := strconv.ParseFloat(v, 32)
			require.NoError(t, err, value)
			out, kind = append(out, putFloat(floats, float32(x))...), 1
		default:
			x, err := strconv.ParseInt(v, 10, 64)
			require.NoError(t, err, value)
			out = append(out, putInt(ints, x)...)
		}
	}
	if ints == 8 {
		kind += 5 // of a list
	}
	return append(out, putInt(20, kind)...)
}

// read reads the model, with the tensors as its constants or as its inputs.
func (p *program) read(constants bool) (*Model, error) {
	parts := slices.Clone(p.nodes)
	for _, name := range p.names {
		b := p.tensors[name]
		if !constants {
			parts = append(parts, putBytes(11, putText(1, name)))
			continue
		}
		var dims []byte
		for _, n := range b.Shape {
			dims = append(dims, putInt(1, int64(n))...)
		}
		parts = append(parts, putBytes(5, dims, putInt(2, codes[b.DType]), putText(8, name), putBytes(9, b.Bytes())))
	}
	for _, name := range p.wanted {
		parts = append(parts, putBytes(12, putText(1, name)))
	}
	return Read(putModel(p.version, putBytes(8, putText(1, microsoft), putInt(2, 1)),
		putBytes(8, putText(1, training), putInt(2, 1)), putBytes(8, putText(1, preview), putInt(2, 1)),
		putBytes(8, putText(1, classical), putInt(2, p.classical)), putGraph(parts...)), "m")
}

// run computes the results that are wanted.
func (p *program) run(constants bool) ([]*buf.Buffer, error) {
	m, err := p.read(constants)
	if err != nil {
		return nil, err
	}
	var inputs []Value
	for _, name := range p.names {
		if !constants {
			inputs = append(inputs, Value{Tensor: p.tensors[name]})
		}
	}
	bound, err := m.Bind(inputs, onHost)
	if err != nil {
		return nil, err
	}
	return onHost(bound.Module, bound.Inputs)
}

// codes are the numbers that stand for types in files.
var codes = map[dtype.DType]int64{dtype.F32: 1, dtype.U8: 2, dtype.I8: 3, dtype.I16: 5, dtype.I32: 6, dtype.I64: 7,
	dtype.Bool: 9, dtype.F16: 10, dtype.F64: 11, dtype.U16: 4}

// check requires the wanted results, of the model with constants as of the one with inputs: values that are folded when
// the model is read equal values that are computed when it runs.
func check(t *testing.T, text string) {
	t.Helper()
	p := newProgram(t, text)
	for _, constants := range []bool{true, false} {
		t.Run("", func(t *testing.T) {
			out, err := p.run(constants)
			require.NoError(t, err, text)
			for i, name := range p.wanted {
				have, want := out[i], p.want[name]
				require.Equal(t, want.DType, have.DType, text)
				require.True(t, slices.Equal(want.Shape, have.Shape), "%v is wanted, not %v: %s", want.Shape, have.Shape, text)
				for k := range want.Len() {
					w, h := want.Float64(k), have.Float64(k)
					if !want.DType.IsFloat() {
						w, h = float64(want.Int64(k)), float64(have.Int64(k))
					}
					if w == h || math.IsNaN(w) && math.IsNaN(h) { // infinities among them
						continue
					}
					require.LessOrEqual(t, math.Abs(w-h), 1e-6+1e-5*math.Abs(w), "%s: element %d is %v, not %v: %s", name, k, h, w, text)
				}
			}
		})
	}
}

// checkEach is check for each text behind a common head.
func checkEach(t *testing.T, head string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		check(t, head+text)
	}
}

// refuse requires an error that holds a text, with the node's place.
func refuse(t *testing.T, text, want string) {
	t.Helper()
	p := newProgram(t, text)
	p.wanted = []string{"y"}
	_, err := p.run(true)
	require.ErrorContains(t, err, want, text)
	require.ErrorContains(t, err, "m: node ", text)
}

// refuseEach is refuse for each text behind a common head, with the errors.
func refuseEach(t *testing.T, head string, wanted map[string]string) {
	t.Helper()
	for text, want := range wanted {
		t.Run("", func(t *testing.T) { refuse(t, head+text, want) })
	}
}

// line writes a tensor of a program.
func line(name, kind string, dims []int, values ...float64) string {
	var b strings.Builder
	extents := strings.Trim(strings.ReplaceAll(fmt.Sprint(dims), " ", "x"), "[]")
	fmt.Fprintf(&b, "%s = %s %s:", name, kind, extents)
	for _, v := range values {
		fmt.Fprintf(&b, " %.9g", v)
	}
	return b.String() + "\n"
}

// drawn are numbers of a normal distribution.
func drawn(r *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(float32(r.NormFloat64()))
	}
	return out
}
