package devicetest

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect" // what programs are written in
	"github.com/go-acap/acap/ops"
)

// Run tests a device.
func Run(t *testing.T, d device.Device) {
	t.Run("Name", func(t *testing.T) { testName(t, d) })
	t.Run("Operators", func(t *testing.T) { testOperators(t, d) })
	t.Run("Programs", func(t *testing.T) { testPrograms(t, d) })
	t.Run("ControlFlow", func(t *testing.T) { testControlFlow(t, d) })
	t.Run("Goroutines", func(t *testing.T) { testGoroutines(t, d) })
	t.Run("Errors", func(t *testing.T) { testErrors(t, d) })
	t.Run("Closing", func(t *testing.T) { testClosing(t, d) })
	t.Run("Groups", func(t *testing.T) { testGroups(t, d) })
}

func testName(t *testing.T, d device.Device) {
	holds(t, d.Name() != "")
	equal(t, d.Name(), d.Name())
	equal(t, strings.TrimSpace(d.Name()), d.Name())
}

// parse reads and verifies a program.
func parse(t testing.TB, text string) *mlir.Operation {
	t.Helper()
	module, err := mlir.Parse("devicetest", []byte(text))
	noError(t, err)
	noError(t, mlir.Verify(module), text)
	return module
}

// expected returns the results of the portable kernels of the host.
func expected(t testing.TB, module *mlir.Operation, inputs []*buf.Buffer) []*buf.Buffer {
	t.Helper()
	text := module.String()
	exe, err := compiler.CompileWith(context.Background(), copied(module), portable.Compile)
	noError(t, err, text)
	defer exe.Close()
	results, err := exe.Run(context.Background(), inputs)
	noError(t, err, text)
	return results
}

func copied(module *mlir.Operation) *mlir.Operation {
	return module.Clone(map[*mlir.Value]*mlir.Value{})
}

// compile compiles a copy of a module.
func compile(t testing.TB, d device.Device, module *mlir.Operation) device.Executable {
	t.Helper()
	exe, err := d.Compile(context.Background(), copied(module))
	noError(t, err, module.String())
	t.Cleanup(exe.Close)
	return exe
}

// check runs a program in both ways and compares the results.
func check(t testing.TB, d device.Device, module *mlir.Operation, inputs []*buf.Buffer) {
	t.Helper()
	want := expected(t, module, inputs)
	exe := compile(t, d, module)
	var before [][]byte
	for _, b := range inputs {
		before = append(before, bytes.Clone(b.Bytes()))
	}
	got, err := exe.Run(context.Background(), inputs)
	noError(t, err, module.String())
	same(t, want, got, module)
	into := make([]*buf.Buffer, len(want))
	for i, w := range want {
		into[i] = buf.New(w.DType, w.Shape)
		for k := range into[i].Bytes() {
			into[i].Bytes()[k] = 1 // results need not be zero
		}
	}
	noError(t, exe.RunInto(context.Background(), inputs, into), module.String())
	same(t, want, into, module)
	for i, b := range inputs {
		equal(t, before[i], b.Bytes(), "input %d was modified by\n%v", i, module)
	}
	m := exe.Memory()
	holds(t, m.Run >= int64(0))
}

// tolerances are how far results may be off by the size of their elements, relative to numbers above one.
var tolerances = map[int]float64{1: 0.25, 2: 2e-2, 4: 1e-4, 8: 1e-10}

func same(t testing.TB, want, got []*buf.Buffer, module *mlir.Operation) {
	t.Helper()
	holds(t, len(got) == len(want), module.String())
	for i, w := range want {
		g := got[i]
		holds(t, g != nil, "result %d of\n%v", i, module)
		equal(t, w.DType, g.DType, "result %d of\n%v", i, module)
		equal(t, w.Shape, g.Shape, "result %d of\n%v", i, module)
		if w.DType.IsComplex() || !w.DType.IsFloat() {
			if w.DType.IsComplex() {
				continue // runs on the host
			}
			equal(t, w.Bytes(), g.Bytes(), "result %d of\n%v", i, module)
			continue
		}
		for k := range w.Len() {
			x, y := w.Float64(k), g.Float64(k)
			if math.IsNaN(x) && math.IsNaN(y) || x == y {
				continue
			}
			holds(t, math.Abs(x-y) <= tolerances[w.DType.Size()]*math.Max(1, math.Abs(x)), "element %d of result %d is %v instead of %v:\n%v", k, i, y, x, module)
		}
	}
}

// testOperators runs the samples of all operators.
func testOperators(t *testing.T, d device.Device) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, op := range ops.All() {
		if op.Samples == nil || op.IsInplace() || op.Draws {
			continue
		}
		t.Run(op.Name(), func(t *testing.T) {
			for _, sample := range op.Samples() {
				module, inputs, ok := program(op, sample, r)
				if !ok {
					continue
				}
				check(t, d, module, inputs)
				if testing.Short() {
					break
				}
			}
		})
	}
}

// program makes a program of one call with its tensors as inputs; not if its result types depend
// on data.
func program(op *ops.Op, sample ops.Sample, r *rand.Rand) (*mlir.Operation, []*buf.Buffer, bool) {
	call, err := op.NewCall(sample.Args(r)...)
	if err != nil {
		return nil, nil, false
	}
	module, values := call.Program()
	var inputs []*buf.Buffer
	for _, v := range values {
		inputs = append(inputs, v.(ops.BufferValue).Buffer)
	}
	return module, inputs, true
}

// random makes a program of operators on square matrices, in which values have several users.
func random(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 3))
	const of = "tensor<6x6xf32>"
	unary := []string{`"aten.neg"(X)`, `"aten.relu"(X)`, `"aten.tanh"(X)`, `"aten.sigmoid"(X)`, `"aten.softmax.int"(X) {dim = 1 : i64}`, `"aten.t"(X)`,
		`"aten.gelu"(X)`, `"aten.linalg_inv"(I)`}
	binary := []string{"add.Tensor", "mul.Tensor", "maximum", "mm", "sub.Tensor", "linear"}
	var b strings.Builder
	b.WriteString("func.func @main(%a: " + of + ", %b: " + of + ", %i: " + of + ") -> (" + of + ", " + of + ") {\n")
	values := []string{"%a", "%b"}
	pick := func() string { return values[max(len(values)-1-r.IntN(4), r.IntN(len(values)))] }
	for k := range 4 + r.IntN(16) {
		v := fmt.Sprintf("%%%d", k)
		if r.IntN(2) == 0 {
			call := strings.NewReplacer("X", pick(), "I", "%i").Replace(unary[r.IntN(len(unary))])
			fmt.Fprintf(&b, "  %s = %s : (%s) -> %s\n", v, call, of, of)
		} else {
			fmt.Fprintf(&b, "  %s = \"aten.%s\"(%s, %s) : (%s, %s) -> %s\n", v, binary[r.IntN(len(binary))], pick(), pick(), of, of, of)
		}
		values = append(values, v)
	}
	fmt.Fprintf(&b, "  return %s, %s : %s, %s\n}", values[len(values)-1], pick(), of, of)
	return b.String()
}

// matrices makes the inputs of random programs: the third one can be inverted.
func matrices(seed uint64) []*buf.Buffer {
	r := rand.New(rand.NewPCG(seed, 4))
	var out []*buf.Buffer
	for i := range 3 {
		m := buf.New(dtype.F32, []int{6, 6})
		for k, x := 0, buf.Slice[float32](m); k < len(x); k++ {
			x[k] = float32(r.NormFloat64()) / 2
			if i == 2 && k%7 == 0 {
				x[k] += 4
			}
		}
		out = append(out, m)
	}
	return out
}

func testPrograms(t *testing.T, d device.Device) {
	for seed := range uint64(20) {
		check(t, d, parse(t, random(seed)), matrices(seed))
	}
}

func testControlFlow(t *testing.T, d device.Device) {
	module := parse(t, `func.func @main(%x: tensor<6x6xf32>, %y: tensor<6x6xf32>, %z: tensor<6x6xf32>) -> tensor<6x6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%v = %x) -> (tensor<6x6xf32>) {
    %a = "aten.mm"(%v, %y) : (tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<6x6xf32>
    %b = "aten.add.Tensor"(%a, %z) : (tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<6x6xf32>
    %c = "aten.relu"(%b) : (tensor<6x6xf32>) -> tensor<6x6xf32>
    scf.yield %c : tensor<6x6xf32>
  }
  %s = "aten.sigmoid"(%r) : (tensor<6x6xf32>) -> tensor<6x6xf32>
  return %s : tensor<6x6xf32>
}`)
	check(t, d, module, matrices(1))
}

// testGoroutines runs one program with different inputs at once.
func testGoroutines(t *testing.T, d device.Device) {
	module := parse(t, random(7))
	exe := compile(t, d, module)
	type run struct{ inputs, want, got []*buf.Buffer }
	runs := make([]run, 8)
	for i := range runs {
		runs[i].inputs = matrices(uint64(100 + i))
		runs[i].want = expected(t, module, runs[i].inputs)
	}
	var wait sync.WaitGroup
	failed := make([]error, len(runs))
	for i := range runs {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for range 5 {
				if runs[i].got, failed[i] = exe.Run(context.Background(), runs[i].inputs); failed[i] != nil {
					return
				}
			}
		}()
	}
	wait.Wait()
	for i := range runs {
		noError(t, failed[i])
		same(t, runs[i].want, runs[i].got, module)
	}
}

func testErrors(t *testing.T, d device.Device) {
	for _, text := range []string{"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n" +
		"  %0 = \"aten.no_such_operator\"(%x) : (tensor<2xf32>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}", "module {}"} {
		module, err := mlir.Parse("devicetest", []byte(text))
		noError(t, err)
		exe, err := d.Compile(context.Background(), module)
		hasError(t, err)
		holds(t, exe == nil, "no typed nil beside an error")
	}
	module := parse(t, random(7))
	exe := compile(t, d, module)
	for _, inputs := range [][]*buf.Buffer{nil, matrices(1)[:2], {nil, nil, nil},
		{matrices(1)[0], matrices(1)[1], buf.New(dtype.F32, []int{6, 5})}, {matrices(1)[0], matrices(1)[1], buf.New(dtype.F64, []int{6, 6})}} {
		_, err := exe.Run(context.Background(), inputs)
		hasError(t, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := exe.Run(ctx, matrices(1))
	isError(t, err, context.Canceled)
}

func testClosing(t *testing.T, d device.Device) {
	module := parse(t, random(9))
	exe, err := d.Compile(context.Background(), copied(module))
	noError(t, err)
	again := exe.NewHandle()
	exe.Close()
	exe.Close()
	_, err = exe.Run(context.Background(), matrices(2))
	hasError(t, err)
	got, err := again.Run(context.Background(), matrices(2))
	noError(t, err, "the other handle is open")
	same(t, expected(t, module, matrices(2)), got, module)
	again.Close()
}

// testGroups checks the division of programs, and that what is declared unsupported runs on the
// host.
func testGroups(t *testing.T, d device.Device) {
	configured, ok := d.(device.Configurable)
	if !ok {
		t.Skip("the device has no configuration")
	}
	for seed := range uint64(10) {
		for _, c := range []device.Config{device.Config{}.WithUnsupported("relu", "mm"), device.Config{}.WithSmallest(3),
			device.Config{}.WithSeparate(true).WithUnsupported("mul")} {
			module := parse(t, random(seed))
			other := configured.With(c)
			check(t, other, module, matrices(seed))
			if exe, ok := compile(t, other, module).(device.Grouped); ok {
				for _, g := range exe.Division() {
					holds(t, g.Device != "")
					for _, op := range g.Ops {
						holds(t, !(g.OnDevice() && c.Excludes(op)), "%s is on %s", op, g.Device)
					}
					holds(t, !(g.OnDevice() && len(g.Ops) < c.Smallest()), "a group of %d operations", len(g.Ops))
				}
			}
		}
	}
}
