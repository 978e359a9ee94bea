// Package data reads datasets and pictures as tensors.
package data
