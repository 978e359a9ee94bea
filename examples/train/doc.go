// SPDX-License-Identifier: Apache-2.0

// Command train trains a small network on the simulated array to tell two spirals
// apart: forward, loss, gradients and update are one recorded program, computed by
// one barrier a step. It prints how the loss falls, the share of points that are
// named right, and how many programs were compiled.
package main
