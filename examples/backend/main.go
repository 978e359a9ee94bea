package main

import (
	"cmp"
	"fmt"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

func main() {
	d := device.Named("unit")
	x := tensor.Ones(2, 3).To(d)
	w := tensor.Full[float32](0.5, 3, 4).To(d)
	b := tensor.FromSlice([]float32{-4, -3, -2, -1}, 4).To(d)
	y := x.MatMul(w).Add(b).ReLU().Softmax(1)

	before := runs.Load()
	e, err := lazy.Explain(y)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, g := range e.Groups {
		fmt.Printf("%s %v on %s\n", cmp.Or(g.Title, "an operation"), g.Ops, g.Device)
	}
	fmt.Println(y)
	fmt.Println("groups that the unit ran:", runs.Load()-before)
}
