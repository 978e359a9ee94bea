package ops_test

import (
	"errors"
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
)

// A call checks its arguments against the schema and infers the types of its
// results: shapes broadcast, element types promote.
func ExampleOp_NewCall() {
	x := ops.BufferValue{Buffer: buf.From([]float32{1, 2, 3, 4, 5, 6}, 2, 3)}
	n := ops.BufferValue{Buffer: buf.From([]int64{10, 20, 30}, 3)}

	c, err := ops.Lookup("aten::add.Tensor").NewCall(ops.ArgOf(x), ops.ArgOf(n))
	fmt.Println(c.Out[0].DType, c.Out[0].Shape, err)
	fmt.Println("alpha is", c.Int(2))

	four := ops.BufferValue{Buffer: buf.From([]float32{1, 2, 3, 4}, 4)}
	_, err = ops.Lookup("add.Tensor").NewCall(ops.ArgOf(x), ops.ArgOf(four))
	var shapes *ops.ShapeError
	fmt.Println(errors.As(err, &shapes), err)
	// Output:
	// f32 [2 3] <nil>
	// alpha is 1
	// true add.Tensor: shapes do not broadcast: [2 3] and [4]
}

// The kinds of the arguments choose the overload of a base name.
func ExampleResolve() {
	x := ops.ArgOf(ops.BufferValue{Buffer: buf.From([]float32{1, 2, 3}, 3)})
	for _, other := range []ops.Arg{x, ops.IntArg(2)} {
		op, args, err := ops.Resolve("mul", []ops.Arg{x, other}, nil)
		fmt.Println(op.Name(), len(args), err)
	}
	op, args, err := ops.Resolve("sum", []ops.Arg{x}, map[string]ops.Arg{"dim": ops.IntsArg([]int{0})})
	fmt.Println(op.Name(), len(args), err)
	// Output:
	// mul.Tensor 2 <nil>
	// mul.Scalar 2 <nil>
	// sum.dim_IntList 4 <nil>
}

// Every operator is in the set under one name, and says how it computes.
func ExampleAll() {
	ways := map[string]bool{}
	for _, op := range ops.All() {
		if ops.Lookup(op.MLIRName()) != op {
			fmt.Println("not found:", op.Name())
		}
		switch f := op.Functional(); {
		case f.Expand != nil:
			ways["in terms of other operators"] = true
		case f.Lower != nil:
			ways["as linalg"] = true
		case f.Host != nil:
			ways["on the host"] = true
		}
	}
	fmt.Println(ways)
	// Output: map[as linalg:true in terms of other operators:true on the host:true]
}

// A host operator computes on buffers.
func ExampleHostCall() {
	x := ops.BufferValue{Buffer: buf.From([]int64{3, 1, 3}, 3)}
	op := ops.MustLookup("bincount")
	c, err := op.NewCall(ops.ArgOf(x))
	if err != ops.ErrDataDependent { // the result has as many elements as the largest number
		fmt.Println(err)
		return
	}
	out, err := op.Host(&ops.HostCall{Call: c})
	fmt.Println(buf.Slice[int64](out[0]), err)
	// Output: [0 1 0 2] <nil>
}
