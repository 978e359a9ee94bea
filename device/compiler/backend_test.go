package compiler_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
)

// other is a back end that supports some operators of the aten dialect and runs its groups on the
// engine.
type other struct {
	supports []string
	fails    error
	tried    atomic.Int64
	mu       sync.Mutex // of the sources
	sources  []*device.GroupSource
}

func (o *other) Name() string  { return "other" }
func (o *other) Form() string  { return "" }
func (o *other) Smallest() int { return 1 }

func (o *other) Supports(op *mlir.Operation) error {
	for _, name := range o.supports {
		if op.Name == "aten."+name || strings.HasPrefix(op.Name, "aten."+name+".") {
			return nil
		}
	}
	return errors.New("not supported")
}

type group struct{ *compiler.Executable }

func (g group) Memory() int64 { return g.Executable.Memory().Run }

func (o *other) CompileGroup(ctx context.Context, g *device.GroupSource) (device.GroupProgram, error) {
	o.tried.Add(1)
	if o.fails != nil {
		return nil, o.fails
	}
	o.mu.Lock()
	o.sources = append(o.sources, g)
	o.mu.Unlock()
	module := mlir.NewModule()
	module.Body().Append(g.Func.Clone(map[*mlir.Value]*mlir.Value{}))
	exe, err := compiler.Compile(ctx, module)
	return group{exe}, err
}

func parse(t testing.TB, text string) *mlir.Operation {
	t.Helper()
	module, err := mlir.Parse("test.mlir", []byte(text))
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	return module
}

func compileFor(t testing.TB, text string, b device.Backend, c device.Config) *compiler.Executable {
	t.Helper()
	exe, err := compiler.CompileFor(context.Background(), parse(t, text), b, c)
	require.NoError(t, err)
	t.Cleanup(exe.Close)
	return exe
}

// normal makes inputs for an executable of the host.
func normal(t testing.TB, text string) []*buf.Buffer {
	r := rand.New(rand.NewPCG(3, 4))
	var inputs []*buf.Buffer
	for _, arg := range parse(t, text).Func("main").Body().Args {
		of := arg.Type.(mlir.TensorType)
		b := buf.New(dtype.F32, of.Shape)
		for i, x := 0, buf.Slice[float32](b); i < len(x); i++ {
			x[i] = float32(r.NormFloat64())
		}
		inputs = append(inputs, b)
	}
	return inputs
}

// same requires that an executable computes what the host computes.
func same(t testing.TB, text string, exe *compiler.Executable) {
	t.Helper()
	inputs := normal(t, text)
	want := run(t, compile(t, text), inputs...)
	for i, got := range run(t, exe, inputs...) {
		require.InDeltaSlice(t, buf.Slice[float32](want[i]), buf.Slice[float32](got), 1e-4)
	}
	into := make([]*buf.Buffer, len(want))
	for i, w := range want {
		into[i] = buf.New(w.DType, w.Shape)
	}
	require.NoError(t, exe.RunInto(context.Background(), inputs, into))
	for i := range want {
		require.InDeltaSlice(t, buf.Slice[float32](want[i]), buf.Slice[float32](into[i]), 1e-4)
	}
}

// mdla is the program with which Micron's MDLA showed its groups: sqrt is not supported.
const mdla = `func.func @main(%x: tensor<1x3x16x16xf32>, %w1: tensor<3x3x3x3xf32>, %w2: tensor<3x3x3x3xf32>,
    %w3: tensor<3x3x3x3xf32>) -> tensor<1x3x8x8xf32> {
  %0 = "aten.conv2d"(%x, %w1) {padding = [1, 1]} : (tensor<1x3x16x16xf32>, tensor<3x3x3x3xf32>) -> tensor<1x3x16x16xf32>
  %1 = "aten.relu"(%0) : (tensor<1x3x16x16xf32>) -> tensor<1x3x16x16xf32>
  %2 = "aten.conv2d"(%1, %w2) {padding = [1, 1]} : (tensor<1x3x16x16xf32>, tensor<3x3x3x3xf32>) -> tensor<1x3x16x16xf32>
  %3 = "aten.add.Tensor"(%2, %0) : (tensor<1x3x16x16xf32>, tensor<1x3x16x16xf32>) -> tensor<1x3x16x16xf32>
  %4 = "aten.relu"(%3) : (tensor<1x3x16x16xf32>) -> tensor<1x3x16x16xf32>
  %5 = "aten.sqrt"(%4) : (tensor<1x3x16x16xf32>) -> tensor<1x3x16x16xf32>
  %6 = "aten.conv2d"(%5, %w3) {padding = [1, 1]} : (tensor<1x3x16x16xf32>, tensor<3x3x3x3xf32>) -> tensor<1x3x16x16xf32>
  %7 = "aten.max_pool2d"(%6) {kernel_size = [2, 2], stride = [2, 2]} : (tensor<1x3x16x16xf32>) -> tensor<1x3x8x8xf32>
  return %7 : tensor<1x3x8x8xf32>
}`

// on counts the groups of a program that run on a device, and the operators on the host.
func on(exe *compiler.Executable, name string) (groups int, hosted []string) {
	for _, g := range exe.Division() {
		if g.Device == name && g.Problem == "" {
			groups++
		} else {
			hosted = append(hosted, g.Ops...)
		}
	}
	return groups, hosted
}

func TestMDLA(t *testing.T) {
	native := hostBackend{}
	exe := compileFor(t, mdla, native, device.Config{}.WithUnsupported("sqrt"))
	groups, hosted := on(exe, "native")
	require.Equal(t, 2, groups)
	require.Equal(t, []string{"aten.sqrt"}, hosted)
	require.Equal(t, map[string]int{"aten.sqrt": 1}, exe.Fallbacks())
	require.Len(t, exe.Groups(), 2, "those of the device")
	require.Empty(t, exe.Warnings())
	share := device.Share(exe.Division())
	require.Less(t, share, 1.0)
	require.Greater(t, share, 0.9, "a square root is little beside three convolutions")
	same(t, mdla, exe)

	supporting := &other{supports: []string{"conv2d", "relu", "add", "max_pool2d"}}
	exe = compileFor(t, mdla, supporting, device.Config{})
	groups, hosted = on(exe, "other")
	require.Equal(t, 2, groups)
	require.Equal(t, []string{"aten.sqrt"}, hosted)
	same(t, mdla, exe)
	require.Equal(t, "aten.conv2d", supporting.sources[0].Func.Body().Ops[0].Name, "the device takes it whole")
}

// hostBackend is the engine under a name.
type hostBackend struct{ compiler.Native }

func (hostBackend) Name() string { return "native" }

// TestSmallGroupsRunOnTheHost: with at least three operations in a group, as Torch Blade has it,
// the second group of the program is none.
func TestSmallGroupsRunOnTheHost(t *testing.T) {
	for _, b := range []device.Backend{hostBackend{}, &other{supports: []string{"conv2d", "relu", "add", "max_pool2d"}}} {
		exe := compileFor(t, mdla, b, device.Config{}.WithUnsupported("sqrt").WithSmallest(device.SmallestGroup))
		groups, hosted := on(exe, b.Name())
		require.Equal(t, 1, groups)
		require.Len(t, hosted, 3)
		same(t, mdla, exe)
		for _, g := range exe.Division() {
			if !g.OnDevice() && g.Ops[0] != "aten.sqrt" {
				require.Regexp(t, `^its group \(aten\.conv\w+, aten\.max_pool2d\w*\) has 2 of the 3 operations that a group needs$`, g.Problem)
			}
		}
	}
}

// TestNothingSupported: everything runs on the host.
func TestNothingSupported(t *testing.T) {
	for _, text := range []string{mdla, withHost} {
		exe := compileFor(t, text, &other{}, device.Config{})
		groups, _ := on(exe, "other")
		require.Zero(t, groups)
		require.Zero(t, device.Share(exe.Division()))
	}
	same(t, mdla, compileFor(t, mdla, &other{}, device.Config{}))
}

// TestFailedGroups: a group that cannot be compiled runs on the host, with a warning the first time,
// and is not tried again.
func TestFailedGroups(t *testing.T) {
	compiler.ForgetFailures()
	t.Cleanup(compiler.ForgetFailures)
	broken := &other{supports: []string{"conv2d", "relu", "add", "max_pool2d"}, fails: errors.New("no memory for programs")}
	exe := compileFor(t, mdla, broken, device.Config{})
	require.EqualValues(t, 2, broken.tried.Load())
	require.Len(t, exe.Warnings(), 2)
	require.Contains(t, exe.Warnings()[0], "other: group main_group_0 of 5 operations runs on the host: no memory for programs")
	groups, hosted := on(exe, "other")
	require.Zero(t, groups)
	require.Len(t, hosted, 8)
	require.Equal(t, 3, exe.Fallbacks()["aten.conv2d"])
	same(t, mdla, exe)

	exe = compileFor(t, mdla, broken, device.Config{})
	require.EqualValues(t, 2, broken.tried.Load(), "not again")
	require.Empty(t, exe.Warnings(), "once")
	same(t, mdla, exe)

	for what, text := range map[string]string{"failed before": mdla, "another program": strings.Replace(mdla, "relu", "neg", 1)} {
		_, err := compiler.CompileFor(context.Background(), parse(t, text), broken, device.Config{}.WithUnsupported("neg").WithStrict(true))
		require.ErrorContains(t, err, "no memory for programs", what)
	}
}

// TestRefusalsAreErrors: what the host would refuse as well is no reason to run there.
func TestRefusalsAreErrors(t *testing.T) {
	compiler.ForgetFailures()
	ctx, cancel := context.WithCancel(context.Background())
	b := &cancelling{other{supports: []string{"relu"}}, cancel}
	_, err := compiler.CompileFor(ctx, parse(t, mdla), b, device.Config{})
	require.ErrorIs(t, err, context.Canceled)
}

type cancelling struct {
	other
	cancel func()
}

func (c *cancelling) CompileGroup(ctx context.Context, g *device.GroupSource) (device.GroupProgram, error) {
	c.cancel()
	return nil, ctx.Err()
}

// TestExpandedForTheDevice: what a device does not take whole is expanded, and its parts are offered.
func TestExpandedForTheDevice(t *testing.T) {
	const text = `func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = "aten.linear"(%x, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = "aten.softmax.int"(%0) {dim = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}`
	whole := &other{supports: []string{"linear"}}
	exe := compileFor(t, text, whole, device.Config{})
	require.Equal(t, []string{"aten.linear"}, exe.Division()[0].Ops)
	same(t, text, exe)
	parts := &other{supports: []string{"mm", "exp", "div"}}
	exe = compileFor(t, text, parts, device.Config{})
	require.Equal(t, []string{"aten.mm"}, exe.Division()[0].Ops)
	same(t, text, exe)
}

// TestRandomPrograms: programs of random operators compute the same, wherever they are cut.
func TestRandomPrograms(t *testing.T) {
	unary := []string{"neg", "relu", "tanh", "abs", "sigmoid", "softmax.int", "t"}
	binary := []string{"add.Tensor", "mul.Tensor", "maximum", "mm", "linear"}
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, 2))
		var b strings.Builder
		const of = "tensor<4x4xf32>"
		b.WriteString("func.func @main(%a: " + of + ", %b: " + of + ") -> (" + of + ", " + of + ") {\n")
		values := []string{"%a", "%b"}
		pick := func() string { return values[max(len(values)-1-r.IntN(5), r.IntN(len(values)))] }
		for range 3 + r.IntN(20) {
			v := "%v" + string(rune('a'+len(values)-2))
			if r.IntN(2) == 0 {
				name := unary[r.IntN(len(unary))]
				attrs := ""
				if name == "softmax.int" {
					attrs = "{dim = 1 : i64} "
				}
				b.WriteString("  " + v + ` = "aten.` + name + `"(` + pick() + ") " + attrs + ": (" + of + ") -> " + of + "\n")
			} else {
				b.WriteString("  " + v + ` = "aten.` + binary[r.IntN(len(binary))] + `"(` + pick() + ", " + pick() + ") : (" + of + ", " + of + ") -> " + of + "\n")
			}
			values = append(values, v)
		}
		b.WriteString("  return " + values[len(values)-1] + ", " + pick() + " : " + of + ", " + of + "\n}")
		var supports []string
		for _, name := range append(unary, binary...) {
			if r.IntN(3) > 0 {
				name, _, _ = strings.Cut(name, ".")
				supports = append(supports, name)
			}
		}
		config := device.Config{}.WithSmallest(r.IntN(4)).WithSeparate(r.IntN(2) == 0)
		same(t, b.String(), compileFor(t, b.String(), &other{supports: supports}, config))
		same(t, b.String(), compileFor(t, b.String(), hostBackend{}, config.WithUnsupported(unary[r.IntN(len(unary))], binary[r.IntN(len(binary))])))
	}
}

// TestControlFlow: groups of a device inside loops.
func TestGroupsInLoops(t *testing.T) {
	const text = `func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%y = %x) -> (tensor<4xf32>) {
    %a = "aten.tanh"(%y) : (tensor<4xf32>) -> tensor<4xf32>
    %b = "aten.sigmoid"(%a) : (tensor<4xf32>) -> tensor<4xf32>
    %c = "aten.add.Tensor"(%b, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %c : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}`
	exe := compileFor(t, text, &other{supports: []string{"tanh", "add"}}, device.Config{})
	groups, hosted := on(exe, "other")
	require.Equal(t, 2, groups)
	require.Contains(t, hosted, "aten.sigmoid")
	same(t, text, exe)
}

// TestUnregistered: an operator that nobody knows is an error that names it, not a group.
func TestUnregistered(t *testing.T) {
	_, err := compiler.CompileFor(context.Background(), parse(t, `func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "aten.no_such_thing"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}`), hostBackend{}, device.Config{})
	require.ErrorContains(t, err, "no_such_thing")
}

// TestKernelsOfGroups: kernels name their groups, and are timed.
func TestKernelsOfGroups(t *testing.T) {
	for _, b := range []device.Backend{hostBackend{}, &other{supports: []string{"conv2d", "relu", "add", "max_pool2d"}}} {
		exe := compileFor(t, mdla, b, device.Config{}.WithUnsupported("sqrt"))
		inputs := normal(t, mdla)
		_, took, err := exe.RunTimed(context.Background(), inputs)
		require.NoError(t, err)
		require.Len(t, took, len(exe.Kernels()))
		in := map[string]int{}
		for _, k := range exe.Kernels() {
			in[k.Group]++
		}
		fallbacks := 0
		for _, k := range exe.Kernels() {
			if k.Kind == device.Fallback {
				fallbacks++
			}
			require.Equal(t, k.Kind == device.Fallback, k.Problem != "", k.Group)
		}
		require.Equal(t, 1, fallbacks, "the square root")
		require.Positive(t, in["main_group_0"])
		require.Positive(t, in["main_group_1"])
	}
}
