// Package data reads datasets and pictures as buffers, which tensor.FromBuffer
// makes tensors of:
//
//	images, err := data.LoadIDX("train-images-idx3-ubyte.gz") // MNIST: u8 [60000 28 28]
//	images, labels, err := data.LoadCIFAR10("data_batch_1.bin") // u8 [10000 3 32 32], i64 [10000]
//	picture, err := data.ReadGray("seven.png")                  // f32 [1 1 28 28], from 0 to 1
//
// Nothing in a file is trusted: memory grows with what the file really holds, not
// with what its header claims, and a file that is too short or too long is an error.
package data
