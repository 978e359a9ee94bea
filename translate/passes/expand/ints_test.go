package expand_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes/expand"
)

// ran runs a function of tensors on the host, as it is and with its scans, sorts and scatters written out.
func ran(t *testing.T, text string, inputs []*buf.Buffer) (kernels, expanded []*buf.Buffer) {
	t.Helper()
	var out [2][]*buf.Buffer
	for i := range out {
		module, err := mlir.Parse("x.mlir", []byte(text))
		require.NoError(t, err, text)
		if i > 0 {
			require.NoError(t, expand.ACAP(module), text)
			require.NoError(t, mlir.Verify(module), text)
		}
		exe, err := host.Device().Compile(context.Background(), module)
		require.NoError(t, err, text)
		out[i], err = exe.Run(context.Background(), inputs)
		require.NoError(t, err)
		exe.Close()
	}
	return out[0], out[1]
}

// TestIntegersInOrder: scans, sorts and scatters of integers with a sign, without one, and of bits, compared with plain
// loops.
func TestIntegersInOrder(t *testing.T) {
	const rows, columns = 3, 6
	r := rand.New(rand.NewPCG(4, 8))
	for _, d := range []dtype.DType{dtype.I8, dtype.I32, dtype.Bool} {
		for _, unsigned := range []bool{false, true} {
			if d == dtype.Bool && unsigned {
				continue // bits have no sign
			}
			x := buf.New(d, []int{rows, columns})
			for i := range x.Len() {
				x.SetInt64(i, int64(r.IntN(7)-3))
				if d == dtype.Bool {
					x.SetInt64(i, int64(r.IntN(2)))
				}
			}
			less := func(a, b int64) bool {
				if unsigned {
					return uint64(a) < uint64(b)
				}
				return a < b
			}
			cut := func(v int64) int64 {
				switch d {
				case dtype.I8:
					return int64(int8(v))
				case dtype.Bool:
					return min(v, 1)
				}
				return v
			}
			folds := map[string]func(a, b int64) int64{
				"add": func(a, b int64) int64 { return cut(a + b) },
				"mul": func(a, b int64) int64 { return cut(a * b) },
				"max": func(a, b int64) int64 {
					if less(a, b) {
						return b
					}
					return a
				},
				"min": func(a, b int64) int64 {
					if less(b, a) {
						return b
					}
					return a
				},
				"assign": func(_, b int64) int64 { return b },
			}
			flag := ""
			if unsigned {
				flag = ", unsigned"
			}
			ty := func(dims string) string { return "tensor<" + dims + "x" + mlir.ElemType(d).String() + ">" }
			checked := func(what, op, operands, attrs, types, results string, n int, want ...[]int64) {
				values := []string{"%0", "%0#0, %0#1"}[n-1]
				given := []string{"%0", "%0:2"}[n-1]
				text := "func.func @main(%x: " + ty("3x6") + ") -> (" + results + ") {\n" +
					"%at = arith.constant dense<[[2, 0, 2, 1]]> : tensor<1x4xi64>\n" +
					"%few = tensor.extract_slice %x[0, 1] [3, 4] [1, 1] : " + ty("3x6") + " to " + ty("3x4") + "\n" +
					given + ` = "` + op + `"(` + operands + ") {" + attrs + flag + "} : (" + types + ") -> (" + results + ")\nreturn " + values + " : " + results + "\n}"
				if n == 1 {
					text = strings.ReplaceAll(text, "-> ("+results+")\nreturn", "-> "+results+"\nreturn")
				}
				kernels, expanded := ran(t, text, []*buf.Buffer{x})
				for k, w := range want {
					for i := range w {
						require.Equal(t, w[i], kernels[k].Int64(i), "%s of %s%s, element %d", what, d, flag, i)
						require.Equal(t, w[i], expanded[k].Int64(i), "%s of %s%s, written out, element %d", what, d, flag, i)
					}
				}
			}
			for kind, f := range folds {
				for axis := range 2 {
					want, places := make([]int64, rows*columns), make([]int64, rows*columns)
					for i := range want {
						v, before, at := x.Int64(i), i-1, i%columns
						if axis == 0 {
							before, at = i-columns, i/columns
						}
						want[i], places[i] = v, int64(at)
						if at > 0 {
							want[i] = f(want[before], v)
							if want[i] != v {
								places[i] = places[before]
							}
						}
					}
					if kind == "assign" {
						continue
					}
					if d == dtype.Bool && (kind == "add" || kind == "mul") {
						continue // sums of bits are not scanned
					}
					checked("scan "+kind, "acap.scan", "%x", fmt.Sprintf("kind = %q, axis = %d : i64", kind, axis), ty("3x6"), ty("3x6"), 1, want)
					if kind == "max" || kind == "min" {
						checked("positions of "+kind, "acap.scan", "%x", fmt.Sprintf("kind = %q, axis = %d : i64, positions", kind, axis), ty("3x6"), "tensor<3x6xi64>", 1, places)
					}
				}
				// Updates of three rows and four columns into columns 2, 0, 2 and 1.
				want := make([]int64, rows*columns)
				for i := range want {
					want[i] = x.Int64(i)
				}
				for row := range rows {
					for k, column := range []int{2, 0, 2, 1} {
						at := row*columns + column
						want[at] = f(want[at], x.Int64(row*columns+1+k))
					}
				}
				if d == dtype.Bool && kind == "mul" {
					continue
				}
				if kind == "assign" && unsigned {
					continue
				}
				checked("scatter "+kind, "acap.scatter", "%few, %at, %x", fmt.Sprintf("kind = %q, axis = 1 : i64", kind),
					ty("3x4")+", tensor<1x4xi64>, "+ty("3x6"), ty("3x6"), 1, want)
			}
			for _, descending := range []bool{false, true} {
				for _, first := range []int{0, 2} {
					var values, places []int64
					for row := range rows {
						order := make([]int, columns)
						for i := range order {
							order[i] = i
						}
						slices.SortStableFunc(order, func(a, b int) int {
							v, w := x.Int64(row*columns+a), x.Int64(row*columns+b)
							switch {
							case less(v, w) != descending && v != w:
								return -1
							case v != w:
								return 1
							}
							return 0
						})
						for _, at := range order[first : first+3] {
							values, places = append(values, x.Int64(row*columns+at)), append(places, int64(at))
						}
					}
					attrs := fmt.Sprintf("axis = 1 : i64, first = %d : i64", first)
					if descending {
						attrs += ", descending"
					}
					checked("sort "+attrs, "acap.sort", "%x", attrs, ty("3x6"), ty("3x3")+", tensor<3x3xi64>", 2, values, places)
				}
			}
		}
	}
}

// TestLinesWithoutElements: a scan of nothing gives nothing.
func TestLinesWithoutElements(t *testing.T) {
	for _, c := range []struct{ positions, result string }{{"", "tensor<2x0xf32>"}, {", positions", "tensor<2x0xi64>"}} {
		kernels, expanded := ran(t, `func.func @main(%x: tensor<2x0xf32>) -> `+c.result+` {
			%0 = "acap.scan"(%x) {kind = "max", axis = 1 : i64`+c.positions+`} : (tensor<2x0xf32>) -> `+c.result+`
			return %0 : `+c.result+`
		}`, []*buf.Buffer{buf.New(dtype.F32, []int{2, 0})})
		require.Equal(t, []int{2, 0}, kernels[0].Shape)
		require.Equal(t, []int{2, 0}, expanded[0].Shape)
	}
}
