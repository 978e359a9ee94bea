package compiler_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/plan"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// runText compiles a module and runs it.
func runText(ctx context.Context, text string, inputs ...*buf.Buffer) ([]*buf.Buffer, error) {
	module, err := mlir.Parse("x.mlir", []byte(text))
	if err != nil {
		return nil, err
	}
	if err := mlir.Verify(module); err != nil {
		return nil, err
	}
	exe, err := compiler.Compile(ctx, module)
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	out, err := exe.Run(ctx, inputs)
	if p, planned := exe.Plan(); planned == nil {
		return runPlan(ctx, p, inputs, out, err)
	}
	return out, err
}

// runPlan stores and loads a program and runs it again, which has to give the same.
func runPlan(ctx context.Context, p *plan.Program, inputs, want []*buf.Buffer, wantErr error) ([]*buf.Buffer, error) {
	p, err := plan.Decode(p.Encode())
	if err != nil {
		return nil, err
	}
	exe, err := compiler.Load(ctx, p)
	if err != nil {
		if ctx.Err() != nil {
			return want, wantErr
		}
		return nil, err
	}
	defer exe.Close()
	got, err := exe.Run(ctx, inputs)
	if fmt.Sprint(err) != fmt.Sprint(wantErr) || len(got) != len(want) {
		return nil, fmt.Errorf("%d results and %v from the stored program, not %d and %v", len(got), err, len(want), wantErr)
	}
	for i := range want {
		if !bytes.Equal(want[i].Bytes(), got[i].Bytes()) {
			return nil, fmt.Errorf("result %d of the stored program is %v, not %v", i, got[i], want[i])
		}
	}
	return want, wantErr
}

func f32(values ...float32) *buf.Buffer { return buf.From(values, len(values)) }

func TestControlFlow(t *testing.T) {
	for _, c := range []struct {
		name, text string
		inputs     []*buf.Buffer
		want       string
	}{
		{"for", `func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
			%c0 = arith.constant 0 : index
			%c5 = arith.constant 5 : index
			%c2 = arith.constant 2 : index
			%r = scf.for %i = %c0 to %c5 step %c2 iter_args(%a = %x) -> (tensor<2xf32>) {
				%b = "aten.add.Tensor"(%a, %x) {alpha = 1 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
				scf.yield %b : tensor<2xf32>
			}
			return %r : tensor<2xf32> }`, []*buf.Buffer{f32(1, 2)}, "[4 8]"},
		{"for without a sign", `func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
			%from = arith.constant 2 : i32
			%to = arith.constant -2147483646 : i32
			%by = arith.constant 1073741824 : i32
			%r = scf.for unsigned %i = %from to %to step %by iter_args(%a = %x) -> (tensor<2xf32>) : i32 {
				%b = "aten.add.Tensor"(%a, %x) {alpha = 1 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
				scf.yield %b : tensor<2xf32>
			}
			return %r : tensor<2xf32> }`, []*buf.Buffer{f32(1, 2)}, "[3 6]"},
		{"for without turns", `func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
			%c0 = arith.constant 0 : index
			%c1 = arith.constant 1 : index
			%r = scf.for %i = %c1 to %c0 step %c1 iter_args(%a = %x) -> (tensor<2xf32>) {
				%b = "aten.neg"(%a) : (tensor<2xf32>) -> tensor<2xf32>
				scf.yield %b : tensor<2xf32>
			}
			return %r : tensor<2xf32> }`, []*buf.Buffer{f32(1, 2)}, "[1 2]"},
		{"values that swap", `func.func @main(%x: tensor<1xf32>, %y: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
			%c0 = arith.constant 0 : index
			%c3 = arith.constant 3 : index
			%c1 = arith.constant 1 : index
			%r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<1xf32>, tensor<1xf32>) {
				%s = "aten.add.Tensor"(%a, %b) {alpha = 1 : i64} : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
				scf.yield %b, %s : tensor<1xf32>, tensor<1xf32>
			}
			return %r#0, %r#1 : tensor<1xf32>, tensor<1xf32> }`, []*buf.Buffer{f32(1), f32(1)}, "[3] [5]"},
		{"while", `func.func @main(%x: tensor<f32>) -> tensor<f32> {
			%limit = arith.constant 100.0 : f32
			%r = scf.while (%a = %x) : (tensor<f32>) -> tensor<f32> {
				%e = tensor.extract %a[] : tensor<f32>
				%p = arith.cmpf olt, %e, %limit : f32
				scf.condition(%p) %a : tensor<f32>
			} do {
			^bb0(%a: tensor<f32>):
				%b = "aten.add.Tensor"(%a, %a) {alpha = 1 : i64} : (tensor<f32>, tensor<f32>) -> tensor<f32>
				scf.yield %b : tensor<f32>
			}
			return %r : tensor<f32> }`, []*buf.Buffer{buf.From([]float32{3})}, "[192]"},
		{"if with captured values", `func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
			%c0 = arith.constant 0 : index
			%zero = arith.constant 0.0 : f32
			%y = "aten.neg"(%x) : (tensor<2xf32>) -> tensor<2xf32>
			%e = tensor.extract %x[%c0] : tensor<2xf32>
			%p = arith.cmpf olt, %e, %zero : f32
			%r = scf.if %p -> (tensor<2xf32>) {
				scf.yield %y : tensor<2xf32>
			} else {
				%z = "aten.mul.Tensor"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
				scf.yield %z : tensor<2xf32>
			}
			return %r : tensor<2xf32> }`, []*buf.Buffer{f32(3, 2)}, "[-9 -4]"},
		{"blocks", `func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
			%c0 = arith.constant 0 : i64
			%c4 = arith.constant 4 : i64
			%c1 = arith.constant 1 : i64
			cf.br ^head(%c0, %x : i64, tensor<1xf32>)
		^head(%i: i64, %a: tensor<1xf32>):
			%p = arith.cmpi slt, %i, %c4 : i64
			cf.cond_br %p, ^body, ^end(%a : tensor<1xf32>)
		^body:
			%b = "aten.add.Tensor"(%a, %x) {alpha = 1 : i64} : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
			%j = arith.addi %i, %c1 : i64
			cf.br ^head(%j, %b : i64, tensor<1xf32>)
		^end(%r: tensor<1xf32>):
			return %r : tensor<1xf32> }`, []*buf.Buffer{f32(2)}, "[10]"},
		{"a switch of regions", `func.func @main(%i: tensor<i64>, %x: tensor<1xf32>) -> tensor<1xf32> {
			%e = tensor.extract %i[] : tensor<i64>
			%k = arith.index_cast %e : i64 to index
			%r = scf.index_switch %k -> tensor<1xf32>
			case 2 {
				%a = "aten.neg"(%x) : (tensor<1xf32>) -> tensor<1xf32>
				scf.yield %a : tensor<1xf32>
			}
			case 5 {
				%a = "aten.add.Tensor"(%x, %x) {alpha = 1 : i64} : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
				scf.yield %a : tensor<1xf32>
			}
			default {
				scf.yield %x : tensor<1xf32>
			}
			return %r : tensor<1xf32> }`, []*buf.Buffer{buf.From([]int64{5}), f32(3)}, "[6]"},
		{"a switch of blocks", `func.func @main(%i: tensor<i64>, %x: tensor<1xf32>) -> tensor<1xf32> {
			%e = tensor.extract %i[] : tensor<i64>
			cf.switch %e : i64, [
				default: ^end(%x : tensor<1xf32>),
				7: ^double,
				8: ^negate
			]
		^double:
			%a = "aten.add.Tensor"(%x, %x) {alpha = 1 : i64} : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
			cf.br ^end(%a : tensor<1xf32>)
		^negate:
			%b = "aten.neg"(%x) : (tensor<1xf32>) -> tensor<1xf32>
			cf.br ^end(%b : tensor<1xf32>)
		^end(%r: tensor<1xf32>):
			return %r : tensor<1xf32> }`, []*buf.Buffer{buf.From([]int64{8}), f32(3)}, "[-3]"},
		{"functions that call each other", `func.func private @down(%n: i64, %x: tensor<1xf32>) -> tensor<1xf32> {
			%c0 = arith.constant 0 : i64
			%c1 = arith.constant 1 : i64
			%p = arith.cmpi sgt, %n, %c0 : i64
			%r = scf.if %p -> (tensor<1xf32>) {
				%m = arith.subi %n, %c1 : i64
				%s = func.call @down(%m, %x) : (i64, tensor<1xf32>) -> tensor<1xf32>
				%t = "aten.add.Tensor"(%s, %x) {alpha = 1 : i64} : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
				scf.yield %t : tensor<1xf32>
			} else {
				scf.yield %x : tensor<1xf32>
			}
			return %r : tensor<1xf32> }
		func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
			%c3 = arith.constant 3 : i64
			%r = func.call @down(%c3, %x) : (i64, tensor<1xf32>) -> tensor<1xf32>
			return %r : tensor<1xf32> }`, []*buf.Buffer{f32(2)}, "[8]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := runText(context.Background(), c.text, c.inputs...)
			require.NoError(t, err)
			text := ""
			for i, b := range out {
				if i > 0 {
					text += " "
				}
				text += fmt.Sprint(buf.Slice[float32](b))
			}
			require.Equal(t, c.want, text)
		})
	}
}

const endless = `func.func @main(%x: tensor<f32>) -> tensor<f32> {
	%yes = arith.constant true
	%r = scf.while (%a = %x) : (tensor<f32>) -> tensor<f32> {
		scf.condition(%yes) %a : tensor<f32>
	} do {
	^bb0(%a: tensor<f32>):
		scf.yield %a : tensor<f32>
	}
	return %r : tensor<f32> }`

// TestEndlessLoops end with their context.
func TestEndlessLoops(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := runText(ctx, endless, buf.From([]float32{1}))
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestControlErrors(t *testing.T) {
	_, err := runText(context.Background(), `func.func private @f(%x: tensor<1xf32>) -> tensor<1xf32> {
			%r = func.call @f(%x) : (tensor<1xf32>) -> tensor<1xf32>
			return %r : tensor<1xf32> }
		func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
			%r = func.call @f(%x) : (tensor<1xf32>) -> tensor<1xf32>
			return %r : tensor<1xf32> }`, f32(1))
	require.ErrorContains(t, err, "nested more than 10000 deep")
	_, err = runText(context.Background(), `func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
			%c0 = arith.constant 0 : index
			%c5 = arith.constant 5 : index
			%r = scf.for %i = %c0 to %c5 step %c0 iter_args(%a = %x) -> (tensor<1xf32>) {
				scf.yield %a : tensor<1xf32>
			}
			return %r : tensor<1xf32> }`, f32(1))
	require.ErrorContains(t, err, "the step is 0")
}

// TestLoopMemory: a loop gives what its turns give where values are passed on, swapped and kept for later turns, and
// the memory that it takes does not grow with the number of its turns.
func TestLoopMemory(t *testing.T) {
	const text = `func.func @main(%%x: tensor<%[1]dxf32>, %%y: tensor<%[1]dxf32>) -> (tensor<%[1]dxf32>, tensor<%[1]dxf32>, tensor<%[1]dxf32>) {
		%%c0 = arith.constant 0 : index
		%%cn = arith.constant %[2]d : index
		%%c1 = arith.constant 1 : index
		%%r:3 = scf.for %%i = %%c0 to %%cn step %%c1 iter_args(%%a = %%x, %%b = %%y, %%old = %%x) -> (tensor<%[1]dxf32>, tensor<%[1]dxf32>, tensor<%[1]dxf32>) {
			%%s = "aten.add.Tensor"(%%a, %%b) : (tensor<%[1]dxf32>, tensor<%[1]dxf32>) -> tensor<%[1]dxf32>
			scf.yield %%b, %%s, %%a : tensor<%[1]dxf32>, tensor<%[1]dxf32>, tensor<%[1]dxf32>
		}
		return %%r#0, %%r#1, %%r#2 : tensor<%[1]dxf32>, tensor<%[1]dxf32>, tensor<%[1]dxf32>
	}`
	run := func(size, turns int) (values [3]float32, allocated uint64) {
		exe, err := compiler.Compile(context.Background(), parse(t, fmt.Sprintf(text, size, turns)))
		require.NoError(t, err)
		x, y := buf.New(dtype.F32, []int{size}), buf.New(dtype.F32, []int{size})
		for i := range size {
			y.SetFloat64(i, 1)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		out, err := exe.Run(context.Background(), []*buf.Buffer{x, y})
		runtime.ReadMemStats(&after)
		require.NoError(t, err)
		for i := range values {
			data := buf.Slice[float32](out[i])
			values[i] = data[0]
			for _, v := range data {
				require.Equal(t, values[i], v)
			}
		}
		require.Equal(t, float32(0), buf.Slice[float32](x)[0])
		require.Equal(t, float32(1), buf.Slice[float32](y)[0])
		return values, after.TotalAlloc - before.TotalAlloc
	}
	fibonacci := []float32{0, 1}
	for range 30 {
		fibonacci = append(fibonacci, fibonacci[len(fibonacci)-2]+fibonacci[len(fibonacci)-1])
	}
	for _, turns := range []int{1, 2, 3, 4, 5, 6, 7, 20} {
		values, _ := run(3, turns)
		require.Equal(t, [3]float32{fibonacci[turns], fibonacci[turns+1], fibonacci[turns-1]}, values, turns)
	}
	const size = 1 << 18
	_, few := run(size, 10)
	_, many := run(size, 30)
	require.Less(t, many, few+4*size, "less than one tensor more")
}
