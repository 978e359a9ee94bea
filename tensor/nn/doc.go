// SPDX-License-Identifier: Apache-2.0

// Package nn holds models: layers to build them from, losses, initializers, and models
// read from files.
//
// A model is a struct with layers and tensors as exported fields, a list or a map of layers, or a [Sequential] chain:
//
//	type Net struct {
//		Conv *nn.Conv
//		Norm *nn.BatchNorm
//		Out  *nn.Linear
//	}
//
//	func (n *Net) Forward(x *tensor.Tensor) *tensor.Tensor {
//		return n.Out.Forward(nn.Flatten.Forward(n.Norm.Forward(n.Conv.Forward(x)).ReLU()))
//	}
//
// Functions find the parts there: [Parameters] and [NamedParameters] give what training
// changes, [NamedBuffers] the rest, [To] moves them, [Train] and [Eval] say what a model is
// used for, [Freeze] that it is not trained, [Apply] visits the layers, [StateDict] and
// [LoadStateDict] export and import by PyTorch's names, [Summary] shows the tree, and
// [Watch] what each layer computes.
//
// Tensors of layers are parameters from the start. Their handles stay the same when a model
// moves, learns or is loaded, so that it does not matter when an optimiser gets them.
// Layers are made in training, and with PyTorch's random weights; the functions Init* give
// others.
//
// Several goroutines may call a model that is not trained. In training, layers such as
// [BatchNorm] change, so that one goroutine at a time may call a model then.
//
// [Save] and [Load] keep what a later run needs to go on exactly, the state of optimisers
// and loaders included; [Checkpoints] are the last files of a run.
//
// [TorchScript] and [ONNX] are models read from files; their method Parameters makes the
// weights parameters, for fine-tuning.
package nn
