// SPDX-License-Identifier: Apache-2.0

// Package tensor is what programs hold: tensors on the host or on a lazy device.
//
//	x := tensor.Randn(1, 2, 3)            // on the host
//	y := x.To(acap.Device())              // on the array: from here on, calls are recorded
//	z := y.Add(y).Mul(y)                  // nothing has run
//	fmt.Println(lazy.GetMLIR(z))          // the trace
//	fmt.Println(z)                        // now it is compiled and runs
//
// # Operators
//
// Every ATen operator with a tensor named self is a method; those that take a
// list of tensors are functions. Arguments that the schema requires are
// parameters; the others follow as [Option]s, each with a name of its own:
//
//	x.Conv2d(w, tensor.Stride(2), tensor.Padding(1))
//	x.SumDim([]int{1}, tensor.KeepDim)
//	x.MSELoss(y, tensor.ReductionSum)
//
// [With] sets any of them by ATen's name. [Tensor.At] indexes as x[…] does in Python, and a
// [Kind] makes tensors of an element type on a device.
// [Call] calls any overload by its ATen name. Operators whose ATen name ends in
// an underscore change their tensor in place and end in InPlace; views alias
// their base as in PyTorch.
//
// # Errors
//
// Misuse in an expression panics with a typed error, [*ShapeError],
// [*DTypeError], [*ArgError] or [*DeviceError], which names the operator, the
// shapes and the caller's line. [Try] turns exactly these into an error.
//
// # Generics and notebooks
//
// Every generic function has a twin without type parameters, because notebook
// kernels cannot see generic ones: [Of] for [FromSlice], [Tensor.Float32s] for
// [Data].
//
// # Gradients
//
// [Tensor.RequiresGrad] marks a parameter, before the calls that use it;
// [Tensor.Backward] or [Grad] differentiate. Gradients are recorded like any other call,
// in the name of the line that they differentiate, so a training step is one program.
// They flow back through copies to other devices, and can be differentiated themselves
// ([CreateGraph]). It is an error if there is no gradient at all, or if one must flow
// through an operator that has none. A parameter stays one when it changes in place, which
// must happen within [NoGrad], or moves by [Tensor.MoveTo]. [WithGradient] gives results a
// gradient of the caller's own.
//
// # Goroutines
//
// Any number of goroutines may use a tensor and views of it at once. Who changes it, by an
// operator that works in place, [Tensor.RequiresGrad], [Tensor.Assign], [Tensor.MoveTo] or
// by freezing a parameter, must be alone with it and its views.
//
// # Random numbers
//
// Each device has a generator; [Seed] restarts all of them. Devices draw the same
// numbers from the same seed: Call("randn", []int{2, 3}, On(device)) there gives what
// Randn(2, 3) gives on the host. The generator moves on when a call is recorded, and its
// state is an input of the program, so that training steps with dropout are one program.
package tensor

//go:generate go run ./generate
