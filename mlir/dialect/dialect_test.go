package dialect_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/mlir/mlirtest"
)

// files returns the files of the test data, either the invalid or the valid ones.
func files(t testing.TB, invalid bool) []string {
	t.Helper()
	all, err := filepath.Glob("testdata/*.mlir")
	if err != nil || len(all) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	var chosen []string
	for _, path := range all {
		if strings.HasSuffix(path, "_invalid.mlir") == invalid {
			chosen = append(chosen, path)
		}
	}
	return chosen
}

func read(t testing.TB, path string) (string, *mlir.Operation) {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(src), parse(t, string(src))
}

func parse(t testing.TB, text string) *mlir.Operation {
	t.Helper()
	module, err := mlir.Parse("test.mlir", []byte(text))
	if err != nil {
		t.Fatalf("%v\nin:\n%s", err, text)
	}
	if err := mlir.Verify(module); err != nil {
		t.Fatalf("%v\nin:\n%s", err, text)
	}
	return module
}

// diff fails the test at the first line that differs.
func diff(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Fatalf("line %d:\n got %s\nwant %s", i+1, g[i], w[i])
		}
	}
	if len(g) != len(w) {
		t.Fatalf("%d lines, want %d", len(g), len(w))
	}
}

// TestRoundtrip: each file prints as it is, and its generic form stands for the same. The folder newer has operations
// that LLVM 19 does not know, as LLVM 22 prints them.
func TestRoundtrip(t *testing.T) {
	newer, err := filepath.Glob("testdata/newer/*.mlir")
	if err != nil || len(newer) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	for _, path := range append(files(t, false), newer...) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			src, module := read(t, path)
			diff(t, module.Text(mlir.PrintOptions{Pretty: true}), src)
			generic := module.Text(mlir.PrintOptions{Generic: true})
			diff(t, parse(t, generic).Text(mlir.PrintOptions{Pretty: true}), src)
			located := module.Text(mlir.PrintOptions{Pretty: true, Locations: true})
			diff(t, parse(t, located).Text(mlir.PrintOptions{Pretty: true, Locations: true}), located)
		})
	}
}

// TestUpstream: mlir-opt reads our custom and generic forms as the same module, and
// prints it as we do.
func TestUpstream(t *testing.T) {
	const opt, unknown = "mlir-opt-19", "-allow-unregistered-dialect"
	for _, path := range files(t, false) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			_, module := read(t, path)
			text := module.Text(mlir.PrintOptions{})
			theirs := mlirtest.Upstream(t, text, opt, unknown)
			generic := module.Text(mlir.PrintOptions{Generic: true})
			diff(t, mlirtest.Upstream(t, generic, opt, unknown), theirs)
			if name := filepath.Base(path); name == "generic.mlir" || strings.HasPrefix(name, "torch") || name == "stablehlo.mlir" {
				// They shorten more by aliases, and name the values of unknown operations otherwise.
				theirs = mlirtest.Upstream(t, parse(t, theirs).Text(mlir.PrintOptions{}), opt, unknown)
				diff(t, mlirtest.Upstream(t, text, opt, unknown), theirs)
				return
			}
			diff(t, theirs, text)
			theirGeneric := mlirtest.Upstream(t, text, opt, unknown, "-mlir-print-op-generic")
			diff(t, mlirtest.Upstream(t, parse(t, theirGeneric).Text(mlir.PrintOptions{}), opt, unknown),
				mlirtest.Upstream(t, theirGeneric, opt, unknown))
		})
	}
}

func TestInvalid(t *testing.T) {
	for _, path := range files(t, true) {
		t.Run(filepath.Base(path), func(t *testing.T) { mlirtest.Invalid(t, path) })
	}
}

const (
	seedOne = `module {
  func @graph(%arg0: tensor<1x2x3xf32>, %arg1: tensor<1x2x3xf32>) -> tensor<1x2x3xf32> {
    %0 = "aten.constant"() {type = "i32", value = 1 : i32} : () -> i32
    %1 = "aten.add"(%arg0, %arg1, %0) : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, i32) -> tensor<1x2x3xf32>
    return %1 : tensor<1x2x3xf32>
  }
}
`
	seedTwo = `module {
  func @graph(%arg0: tensor<1x2x3xf32>, %arg1: tensor<1x2x3xf32>, %arg2: tensor<1x2x3xf32>, %arg3: tensor<1x2x3xf32>) -> tensor<1x2x3xf32> {
    %0 = "aten.constant"() {type = "i32", value = 1 : i32} : () -> i32
    %1 = "aten.add"(%arg0, %arg1, %0) : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, i32) -> tensor<1x2x3xf32>
    %2 = "aten.constant"() {type = "i32", value = 1 : i32} : () -> i32
    %3 = "aten.add"(%1, %arg2, %2) : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, i32) -> tensor<1x2x3xf32>
    %4 = "aten.mul"(%3, %arg3) : (tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    return %4 : tensor<1x2x3xf32>
  }
}
`
)

// Test2019 reads and writes the two texts of PyTorch/ACAP's README.
func Test2019(t *testing.T) {
	for _, text := range []string{seedOne, seedTwo} {
		module := parse(t, text)
		diff(t, module.Text(mlir.PrintOptions{Spelling: mlir.ACAP2019}), text)
		modern := module.Text(mlir.PrintOptions{})
		diff(t, parse(t, modern).Text(mlir.PrintOptions{Spelling: mlir.ACAP2019}), text)
	}
}

func Test2019Upstream(t *testing.T) {
	for _, text := range []string{seedOne, seedTwo} {
		diff(t, mlirtest.Upstream(t, text, "mlir-opt-14", "-allow-unregistered-dialect"), text)
		modern := parse(t, text).Text(mlir.PrintOptions{})
		diff(t, mlirtest.Upstream(t, modern, "mlir-opt-19", "-allow-unregistered-dialect"), modern)
	}
}

func TestUnknownDialect(t *testing.T) {
	_, err := mlir.Parse("x.mlir", []byte("func.func @f() {\n  nowhere.add %a, %b : i32\n}"))
	var diags mlir.Diagnostics
	if !errors.As(err, &diags) || diags[0].Loc.Line != 2 || diags[0].Loc.Col != 3 ||
		!strings.Contains(err.Error(), `"nowhere.add"`) {
		t.Errorf("got %v", err)
	}
}

// TestBodiesOfAttributes: text in brackets that stands for an attribute is the same however it is broken into lines,
// and whether an alias stands in it.
func TestBodiesOfAttributes(t *testing.T) {
	const text = "#f = #arith.fastmath<fast>\nfunc.func @f(%x: complex<f32>) {\n  %0 = complex.mul %x, %x BODY : complex<f32>\n  return\n}\n"
	for body, want := range map[string]string{"fastmath<nnan,\n  ninf>": "#arith.fastmath<nnan, ninf>",
		"fastmath<#f>": "#arith.fastmath<#arith.fastmath<fast>>"} {
		module := parse(t, strings.Replace(text, "BODY", body, 1))
		for _, opts := range []mlir.PrintOptions{{}, {Generic: true}} {
			printed := module.Text(opts)
			diff(t, parse(t, printed).Text(opts), printed)
		}
		if printed := module.Text(mlir.PrintOptions{Generic: true}); !strings.Contains(printed, "fastmath = "+want) {
			t.Errorf("%s is\n%s", body, printed)
		}
	}
}

// TestDefinitions: every dialect makes its operations, none twice and none of another dialect; the lookup panics
// otherwise.
func TestDefinitions(t *testing.T) {
	for _, name := range mlir.Dialects() {
		if def := mlir.Lookup(name + ".no such operation"); def != nil {
			t.Errorf("%s defines %s", name, def.Name)
		}
	}
}
