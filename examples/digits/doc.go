// SPDX-License-Identifier: Apache-2.0

// Command digits trains a convolutional network to name digits, with batch norm, dropout,
// AdamW and a schedule, and keeps checkpoints: a run that is stopped goes on where it was.
// The digits are drawn with the fonts of Go, turned, moved and made noisy. With -mnist they are MNIST's.
package main
