// SPDX-License-Identifier: Apache-2.0

// Package optim holds optimisers: rules that change parameters by their gradients.
//
// A step records the new parameters, computes them with one barrier, and gives them to
// the handles that had the old ones:
//
//	opt := optim.NewAdamW(1e-3, 0.01)
//	opt.Schedule = optim.Linear(100, 0, 1).Then(100, optim.Cosine(5000, 0.1))
//	for range steps {
//		loss := net.Forward(x).CrossEntropyLoss(y)
//		if err := optim.Minimize(ctx, opt, params, loss); err != nil { … }
//	}
//
// [Minimize] differentiates and steps; gradients that are clipped ([ClipNorm]), added up
// over several batches ([Accumulator], or [tensor.Tensor.Backward] and [Gradients]) or
// scaled ([Scaler]) go through [Optimizer].Step. A step that fails changes nothing, so
// that it can be made again.
//
// A number that varies from step to step, such as a learning rate, is a tensor without dimensions and so an input of
// the compiled program: every step after the first runs the program of the first, and changing a rate compiles nothing.
// Other constants, such as momentum, are part of the program.
//
// State and LoadState export and import what a later run needs to go on exactly; nn.Save
// and nn.Load keep it in checkpoints.
//
// The new parameters take the memory of those before the last step, so that from its
// third step on a loop allocates little but its trace. A parameter's memory is left to
// the collector instead if a call on it was recorded and never computed: give the loss
// to Step. Values that a program computed from parameters on the way, and did not keep, can be had until the step after
// the next; then its parameters are gone, and asking for it fails with a [lazy.RecycledError]. Tensors that were read,
// copied to another device, or given to Step or Sync have their values for good.
//
// The parameters of one optimiser live on one device. A parameter whose gradient
// is nil stays as it is. Misuse, such as a gradient of another shape or gradients that are
// all nil, panics as every tensor expression does.
package optim
