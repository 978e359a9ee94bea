package mlir_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/cputime"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// TestDeep: nesting without end gives an error and not an overflow of the stack.
func TestDeep(t *testing.T) {
	const n = 100000
	for name, text := range map[string]string{
		"regions":    strings.Repeat(`"a.b"() ({`, n),
		"types":      `"a.b"() {t = ` + strings.Repeat("tuple<", n),
		"functions":  `"a.b"() {t = ` + strings.Repeat("(", n),
		"results":    `"a.b"() {t = ` + strings.Repeat("() -> (", n),
		"arrays":     `"a.b"() {t = ` + strings.Repeat("[", n),
		"dicts":      `"a.b"() {t = ` + strings.Repeat("{a = ", n),
		"affine":     `"a.b"() {t = affine_map<() -> (` + strings.Repeat("(", n),
		"negations":  `"a.b"() {t = affine_map<() -> (` + strings.Repeat("-", n),
		"sums":       `"a.b"() {t = affine_map<(d) -> (d` + strings.Repeat(" + d", n) + ")>} : () -> ()",
		"products":   `"a.b"() {t = affine_map<(d)[s] -> (d` + strings.Repeat(" mod s", n) + ")>} : () -> ()",
		"locations":  `"a.b"() {t = loc(` + strings.Repeat("fused[", n),
		"modules":    strings.Repeat("module {", n),
		"complex":    `"a.b"() {t = ` + strings.Repeat("complex<", n),
		"tensors":    `"a.b"() {t = ` + strings.Repeat("tensor<", n),
		"dense":      `"a.b"() {t = dense<` + strings.Repeat("[", n) + strings.Repeat("]", n) + "> : tensor<1xi8>} : () -> ()",
		"elements":   `"a.b"() {t = dense<` + strings.Repeat("[", n) + "1" + strings.Repeat("]", n) + "> : tensor<" + strings.Repeat("1x", n) + "i8>} : () -> ()",
		"dialect":    `"a.b"() {t = !a.b` + strings.Repeat("<", n),
		"conditions": "func.func @f(%c: i1) {" + strings.Repeat("scf.if %c {", n),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := mlir.Parse("deep.mlir", []byte(text)); err == nil {
				t.Error("no error")
			}
		})
	}
}

// TestHuge: sizes in the text are not believed.
func TestHuge(t *testing.T) {
	for _, text := range []string{
		`"a.b"() {v = dense<[1]> : tensor<1000000000000xi32>} : () -> ()`,
		`"a.b"() {v = dense<1> : tensor<99999999999x99999999999xi32>} : () -> ()`,
		`"a.b"() {v = dense<"0x0000"> : tensor<9223372036854775807xi1>} : () -> ()`,
		`"a.b"() {v = dense<[1]> : tensor<4611686018427387904xi64>} : () -> ()`,
		`"a.b"() {v = tensor<99999999999999999999xi32>} : () -> ()`,
		`"a.b"() {v = i99999999} : () -> ()`,
		`%0:2000000000 = "a.b"() : () -> ()`,
		`"a.b"(%0#99999999) : (i32) -> ()`,
		`"a.b"() {v = vector<0xi32>} : () -> ()`,
		`"a.b"() {v = 99999999999999999999 : i64} : () -> ()`,
		`"a.b"() {v = array<i32: 4294967296>} : () -> ()`,
	} {
		if _, err := mlir.Parse("huge.mlir", []byte(text)); err == nil {
			t.Errorf("no error for %s", text)
		}
	}
	const splat = `"a.b"() {v = dense<1> : tensor<1000000000000xi32>} : () -> ()`
	if _, err := mlir.Parse("splat.mlir", []byte(splat)); err != nil {
		t.Errorf("a large splat is small: %v", err)
	}
}

// TestAliasBomb: aliases that double at each line give an error.
func TestAliasBomb(t *testing.T) {
	types, attrs, locs := "!t0 = i32\n", "#a0 = 1\n", "#l0 = loc(unknown)\n"
	for i := range 60 {
		types += fmt.Sprintf("!t%d = tuple<!t%d, !t%d>\n", i+1, i, i)
		attrs += fmt.Sprintf("#a%d = [#a%d, #a%d]\n", i+1, i, i)
		locs += fmt.Sprintf("#l%d = loc(fused[#l%d, #l%d])\n", i+1, i, i)
	}
	calls := "#l0 = loc(\"a\")\n"
	for i := range 60 {
		calls += fmt.Sprintf("#l%d = loc(callsite(#l%d at #l%d))\n", i+1, i, i)
	}
	for name, text := range map[string]string{"types": types, "attributes": attrs, "locations": locs, "calls": calls} {
		t.Run(name, func(t *testing.T) {
			start := cputime.Used()
			if _, err := mlir.Parse("bomb.mlir", []byte(text)); err == nil {
				t.Error("no error")
			}
			if d := cputime.Used() - start; d > 10*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
}

// TestTruncated: every prefix of a module is refused with a position, or read.
func TestTruncated(t *testing.T) {
	src, err := os.ReadFile("dialect/testdata/linalg.mlir")
	if err != nil {
		t.Fatal(err)
	}
	for n := range src {
		if n%7 != 0 {
			continue
		}
		if _, err := mlir.Parse("cut.mlir", src[:n]); err != nil &&
			!strings.HasPrefix(err.Error(), "cut.mlir:") {
			t.Fatalf("no position: %v", err)
		}
	}
}

// large returns a module with one constant of n bytes, as a hex string or a list.
func large(n int, list bool) []byte {
	var b bytes.Buffer
	b.WriteString("%0 = arith.constant dense<")
	if list {
		b.WriteString("[")
		for i := range n / 13 {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%.5e", float64(i))
		}
		fmt.Fprintf(&b, "]> : tensor<%dxf32>", n/13)
	} else {
		b.WriteString(`"0x`)
		b.WriteString("00000000" + strings.Repeat("0123CDEF", n/8-1))
		fmt.Fprintf(&b, `"> : tensor<%dxf32>`, n/8)
	}
	return b.Bytes()
}

// many returns a function of n operations.
func many(n int) []byte {
	var b bytes.Buffer
	b.WriteString("func.func @f(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {\n")
	for i := range n {
		fmt.Fprintf(&b, "  %%%d = arith.addf %%%d, %%0 : tensor<2x3xf32>\n", i+1, i)
	}
	fmt.Fprintf(&b, "  return %%%d : tensor<2x3xf32>\n}\n", n)
	return b.Bytes()
}

func BenchmarkParse(b *testing.B) {
	for name, src := range map[string][]byte{
		"hex": large(10<<20, false), "list": large(10<<20, true), "ops": many(180000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := mlir.Parse("bench.mlir", src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPrint(b *testing.B) {
	for name, src := range map[string][]byte{"hex": large(10<<20, false), "ops": many(180000)} {
		b.Run(name, func(b *testing.B) {
			module, err := mlir.Parse("bench.mlir", src)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if err := mlir.Print(discard{}, module, mlir.PrintOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkVerify(b *testing.B) {
	src := many(180000)
	module, err := mlir.Parse("bench.mlir", src)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if err := mlir.Verify(module); err != nil {
			b.Fatal(err)
		}
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// TestShowBytes: a line that is no text is not shown, and a line of text is.
func TestShowBytes(t *testing.T) {
	d := mlir.Diagnostics{{Loc: mlir.Location{Line: 1, Col: 2}, Message: "unexpected"}}
	require.Contains(t, d.Show("a word"), "\na word\n ^")
	require.NotContains(t, d.Show("a\x1b[2J"), "\x1b")
	require.NotContains(t, d.Show("a\xff"), "\xff")
}
