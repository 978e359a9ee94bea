package quantize

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/passes"
	"github.com/go-acap/acap/translate/passes/lowering"
	"github.com/go-acap/acap/translate/passes/simplify"
)

// Calibration has the ranges of the operands of a program's products, after runs on samples.
type Calibration struct {
	module *mlir.Operation
	// Sites are the products that can be quantized, in the order of the program.
	Sites []Site
}

// Site is a product of a tensor with constant weights.
type Site struct {
	Op      string        // "aten.mm", "aten.addmm" or "aten.convolution"
	Loc     mlir.Location // where it was recorded
	Low     float32       // the smallest element that the samples had, at most 0
	High    float32       // the largest, at least 0
	at      int           // its place among the operations of the function
	weights *buf.Buffer
}

// Scale and Zero are the steps of the tensor's bytes, and the byte that stands for 0.
func (s *Site) Scale() float32 {
	if s.High == s.Low {
		return 1
	}
	return (s.High - s.Low) / 255
}

// Zero is the byte that stands for 0.
func (s *Site) Zero() int { return int(-s.Low/s.Scale() + 0.5) }

// ErrNothing says that a program has no products with constant weights.
var ErrNothing = errors.New("quantize: the program has no products of f32 with constant weights that gain by bytes")

// Calibrate runs the function @main of a module of the aten dialect on each of the samples, lists of
// inputs, and notes the ranges of what is multiplied. The module is not changed. Elements and weights that
// are not finite are an error.
func Calibrate(ctx context.Context, d device.Device, module *mlir.Operation, samples [][]*buf.Buffer) (*Calibration, error) {
	module = clone(module)
	inference, err := passes.Parse(passes.Inference)
	if err != nil {
		return nil, err
	}
	if err := inference.Run(module); err != nil {
		return nil, err
	}
	if err := lowering.Decompose(module); err != nil {
		return nil, err
	}
	f := module.Func("main")
	if f == nil || f.Body() == nil || len(f.Regions[0].Blocks) != 1 {
		return nil, fmt.Errorf("quantize: needs a function @main of one block")
	}
	if len(samples) == 0 {
		return nil, errors.New("quantize: calibration needs at least one sample")
	}
	c := &Calibration{module: module}
	var weights, tensors []*mlir.Value
	beside := besideSingle(f.Body())
	for at, op := range f.Body().Ops {
		if x, w, ok := product(op); ok && !beside[op] {
			c.Sites = append(c.Sites, Site{Op: op.Name, Loc: op.Loc, at: at})
			tensors, weights = append(tensors, x), append(weights, w)
		}
	}
	if len(c.Sites) == 0 {
		return nil, ErrNothing
	}
	if err := c.read(ctx, d, weights, samples[0]); err != nil {
		return nil, err
	}
	return c, c.observe(ctx, d, tensors, samples)
}

// product reports whether an operation multiplies a tensor of f32 with constant weights, and which.
func product(op *mlir.Operation) (x, w *mlir.Value, ok bool) {
	if op.Name != "aten.mm" && op.Name != "aten.addmm" && op.Name != "aten.convolution" {
		return nil, nil, false
	}
	c, err := ops.FromOperation(op, ops.OfIR)
	if err != nil || c.Out[0].DType != dtype.F32 {
		return nil, nil, false
	}
	first := 0
	switch op.Name {
	case "aten.addmm":
		if first = 1; c.Scalar(3).Float() != 1 || c.Scalar(4).Float() != 1 {
			return nil, nil, false
		}
	case "aten.convolution":
		if c.Bool(6) || c.Int(8) != 1 || len(c.Shape(0)) != 4 {
			return nil, nil, false
		}
	}
	x, w = ops.ToIR(c.Tensor(first)), ops.ToIR(c.Tensor(first+1))
	return x, w, constant(w) && !constant(x)
}

// constant reports whether a value follows from constants alone.
func constant(v *mlir.Value) bool {
	op := v.Def
	if op == nil || len(op.Regions) > 0 {
		return false
	}
	if o := ops.Lookup(op.Name); op.Name != "arith.constant" && (o == nil || o.Draws) {
		return false
	}
	for _, x := range op.Operands {
		if !constant(x) {
			return false
		}
	}
	return true
}

// read computes the weights.
func (c *Calibration) read(ctx context.Context, d device.Device, weights []*mlir.Value, sample []*buf.Buffer) error {
	out, err := c.run(ctx, d, [][]*buf.Buffer{sample}, weights, func(e ops.Emit, v ops.Value) []ops.Value { return []ops.Value{v} })
	if err != nil {
		return err
	}
	for i := range c.Sites {
		s := &c.Sites[i]
		s.weights = out[0][i]
		for k := range s.weights.Len() {
			if w := s.weights.Float64(k); w-w != 0 {
				return fmt.Errorf("quantize: a weight of %s (%s) is not finite", s.Op, s.Loc.Short())
			}
		}
	}
	return nil
}

// observe notes the ranges.
func (c *Calibration) observe(ctx context.Context, d device.Device, tensors []*mlir.Value, samples [][]*buf.Buffer) error {
	out, err := c.run(ctx, d, samples, tensors, func(e ops.Emit, v ops.Value) []ops.Value {
		return []ops.Value{e.Call("amin", v, []int{}, false), e.Call("amax", v, []int{}, false)}
	})
	if err != nil {
		return err
	}
	for n, extremes := range out {
		for i := range c.Sites {
			s := &c.Sites[i]
			low, high := float32(extremes[2*i].Float64(0)), float32(extremes[2*i+1].Float64(0))
			if width := high - low; width-width != 0 {
				return fmt.Errorf("quantize: sample %d: an operand of %s (%s) is not finite", n, s.Op, s.Loc.Short())
			}
			s.Low, s.High = min(s.Low, low), max(s.High, high)
		}
	}
	return nil
}

// run compiles a copy of the program that returns something of each of some values, and runs it.
func (c *Calibration) run(ctx context.Context, d device.Device, samples [][]*buf.Buffer, values []*mlir.Value,
	of func(ops.Emit, ops.Value) []ops.Value) ([][]*buf.Buffer, error) {
	copies := map[*mlir.Value]*mlir.Value{}
	module := c.module.Clone(copies)
	f := module.Func("main")
	body := f.Body()
	body.Ops = body.Ops[:len(body.Ops)-1] // but the return
	b := &mlir.Builder{Block: body}
	var results []*mlir.Value
	for _, v := range values {
		for _, r := range of(ops.Emit{Builder: ops.Appender{Builder: b}}, ops.OfIR(copies[v])) {
			results = append(results, ops.ToIR(r))
		}
	}
	b.Create("func.return", results, nil, nil)
	f.Attrs = f.Attrs.With("function_type", mlir.TypeAttr{Type: mlir.FunctionType{
		Inputs: mlir.TypesOf(body.Args), Results: mlir.TypesOf(results)}}).Without("res_attrs")
	if err := simplify.DCE(module); err != nil {
		return nil, err
	}
	exe, err := d.Compile(ctx, module)
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	var out [][]*buf.Buffer
	for i, sample := range samples {
		result, err := exe.Run(ctx, sample)
		if err != nil {
			return nil, fmt.Errorf("quantize: sample %d: %w", i, err)
		}
		out = append(out, result)
	}
	return out, nil
}

func clone(module *mlir.Operation) *mlir.Operation {
	return module.Clone(map[*mlir.Value]*mlir.Value{})
}
