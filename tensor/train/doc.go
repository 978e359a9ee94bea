// SPDX-License-Identifier: Apache-2.0

// Package train runs training loops: it goes through the batches of a loader, makes a step
// for each, evaluates after each epoch, keeps checkpoints, and tells observers.
//
//	loop := &train.Loop{
//		Model:     net,
//		Loss:      func(b data.Batch) *tensor.Tensor { return net.Forward(b[0]).CrossEntropyLoss(b[1]) },
//		Optimizer: optim.NewAdamW(1e-3, 0.01),
//		Loader:    loader,
//		Epochs:    5,
//		Observers: []train.Observer{train.Progress(os.Stderr), train.JSONLines(file)},
//	}
//	err := loop.Run(ctx)
//
// With [Loop.Checkpoints] a run that was stopped goes on where it was, to the last bit. A
// loss that is infinite or NaN ends a run with an error, before the step is made visible in
// a checkpoint.
//
// Nothing here is needed to train: a loop of one's own calls package optim.
package train
