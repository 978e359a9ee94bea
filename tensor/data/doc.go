// SPDX-License-Identifier: Apache-2.0

// Package data reads datasets and makes batches of them.
//
//	train, err := data.MNIST("mnist", true)          // pictures f32 [1 28 28] and classes
//	train, check := data.Split(train, 0.9, 1)        // at random, by a seed
//	loader := data.NewLoader(train, 64)
//	loader.Shuffle, loader.Device = true, acap.Device()
//	for batch, err := range loader.Epoch(ctx) {
//		if err != nil { … }
//		x, y := batch[0], batch[1]                   // f32 [64 1 28 28], i64 [64]
//
// # Datasets
//
// A [Dataset] is a list of examples: [MNIST] and its like, [CIFAR10], [CIFAR100],
// pictures in folders ([ImageFolder]), tables ([CSV]), texts ([LoadText]), tensors
// ([NewArrays]), or what a program implements. [Map], [Subset], [Split] and [Concat] make
// others of them.
//
// # Loaders
//
// A [Loader] reads batches ahead on several goroutines and copies them to a device. A batch depends on seed and
// position alone, so that a run that goes on from [Loader.State] sees what an uninterrupted one would have.
//
// # Files
//
// Files are also read as buffers, which tensor.FromBuffer makes tensors of:
//
//	images, err := data.LoadIDX("train-images-idx3-ubyte.gz") // MNIST: u8 [60000 28 28]
//	images, labels, err := data.LoadCIFAR10("data_batch_1.bin") // u8 [10000 3 32 32], i64 [10000]
//	picture, err := data.ReadGray("seven.png")                  // f32 [1 1 28 28], from 0 to 1
//	p := data.Picture{Resize: []int{256}, Crop: []int{224}}     // as torchvision's transforms
//	picture, err = p.Read("cat.jpg")                            // f32 [1 3 224 224]
//
// Nothing in a file is trusted: memory grows with what the file really holds, not
// with what its header claims, and a file that is too short or too long is an error.
package data
