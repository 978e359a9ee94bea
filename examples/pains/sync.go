package main

import (
	"context"
	"fmt"
	"io"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// hiddenSync logs a value within a step, which runs half of the step, and then after it.
func hiddenSync(w io.Writer, dev *acap.Array) error {
	x := tensor.Ones(4).To(dev)
	step := func(logged func(loss *tensor.Tensor)) *tensor.Tensor {
		loss := x.Exp().Sum()
		logged(loss)
		return x.Mul(loss)
	}
	err := lazy.NoSync(func() {
		step(func(loss *tensor.Tensor) { fmt.Fprintln(w, "loss", loss.Item()) })
	})
	fmt.Fprintln(w, err)

	var losses []*tensor.Tensor
	err = lazy.NoSync(func() {
		y := step(func(loss *tensor.Tensor) { losses = append(losses, loss) })
		if err := lazy.Sync(context.Background(), y, losses[0]); err != nil { // on purpose
			fmt.Fprintln(w, err)
		}
		fmt.Fprintf(w, "loss %.3f\n", losses[0].Item()) // nothing is left to run
	})
	fmt.Fprintln(w, "hidden barriers:", err)
	return nil
}
