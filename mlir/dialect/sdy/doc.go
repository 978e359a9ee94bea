// SPDX-License-Identifier: Apache-2.0

// Package sdy defines what programs of JAX have of Shardy's dialect: meshes of devices, and notes on how they share
// tensors.
package sdy
