package lazy_test

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// ExampleState keeps running sums where they are.
func ExampleState() {
	ctx, dev := context.Background(), acap.Device()
	sums, err := lazy.NewState(ctx, tensor.Zeros(3).To(dev), tensor.Zeros(3).To(dev))
	if err != nil {
		panic(err)
	}
	add := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor {
		sum, squares, v := x[0], x[1], x[2]
		return []*tensor.Tensor{sum.Add(v), squares.Add(v.Mul(v)), v.Amax()}
	})
	for _, v := range [][]float32{{1, 2, 3}, {4, 5, 6}} {
		out, err := sums.Update(ctx, add, tensor.FromSlice(v).To(dev))
		if err != nil {
			panic(err)
		}
		fmt.Println(out[0].Float32s())
	}
	values, err := sums.Values()
	if err != nil {
		panic(err)
	}
	fmt.Println(values[0].Float32s(), values[1].Float32s())
	// Output:
	// [3]
	// [6]
	// [5 7 9] [17 29 45]
}

// ExamplePrepared has the host write the argument of a step in front of each run.
func ExamplePrepared() {
	ctx, dev := context.Background(), acap.Device()
	sum, err := lazy.NewState(ctx, tensor.Zeros(3).To(dev))
	if err != nil {
		panic(err)
	}
	add := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor {
		next := x[0].Add(x[1])
		return []*tensor.Tensor{next, next.Amax()}
	})
	runtime, numbers := lazy.For(dev), buf.From([]float32{1, 2, 3}, 3)
	step, err := sum.Prepare(ctx, add, tensor.FromTrace(runtime, runtime.Received(numbers)))
	if err != nil {
		panic(err)
	}
	for range 2 {
		out, err := step.Run(ctx)
		if err != nil {
			panic(err)
		}
		fmt.Println(out[0].Float32s())
		buf.Slice[float32](numbers)[0] = 10
	}
	// Output:
	// [3]
	// [11]
}
