package main

import (
	"fmt"
	"io"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
)

// late makes three mistakes; each is known at the call, where nothing has run.
func late(w io.Writer, dev *acap.Array) error {
	x := tensor.Ones(2, 3).To(dev)
	fmt.Fprintln(w, tensor.Try(func() { x.ReLU().Inverse() }))
	fmt.Fprintln(w, tensor.Try(func() { x.MatMul(x) }))
	fmt.Fprintln(w, tensor.Try(func() { x.Add(tensor.Ones(2, 3)) }))
	return nil
}
