// Package optim holds optimisers: rules that change parameters by their gradients.
//
// A step records the new parameters, computes them with one barrier, and leaves
// them in the same handles, ready for the next step:
//
//	opt := &optim.SGD{LR: 0.1}
//	for range steps {
//		loss := net.Forward(x).MSELoss(y)
//		grads := tensor.Grad([]*tensor.Tensor{loss}, params, nil)
//		if err := opt.Step(ctx, params, grads, loss); err != nil { … }
//	}
//
// What varies from step to step, such as a learning rate, is a tensor without
// dimensions and so an input of the compiled program: every step after the first
// runs the program of the first, and changing a rate compiles nothing.
//
// The new parameters take the memory of those before the last step, so that from its
// third step on a loop allocates little but its trace. A parameter's memory is left to
// the collector instead if a call on it was recorded and never computed: give the loss
// to Step. What a program computed from parameters on the way, and did not keep, can be
// had until the step after the next; then its parameters are gone, and asking for it
// fails with a [lazy.RecycledError]. Tensors that were read, copied to another device,
// or given to Step or Sync have their values for good.
//
// The parameters of one optimiser live on one device. A parameter whose gradient
// is nil stays as it is. Misuse, such as a gradient of another shape, panics as
// every tensor expression does.
package optim
