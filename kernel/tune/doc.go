// SPDX-License-Identifier: Apache-2.0

// Package tune times the forms of a kernel that a code generator holds for nearly equal, such as register tiles of
// different sizes, and finds the fastest on this machine.
//
// A generator chooses by a model of the processor: an estimate of cycles. The model is right about large differences and
// not about small ones. [Compile] compiles a kernel as the model has it, and then with each choice of a form whose
// estimate is at most a tenth above the best. The compiled kernels run on memory of their own, in turn, for a bounded
// time. Another form is taken if it is at least 3 % faster.
//
// The result is a list of [Choices], which compiles the same kernel again without timing.
package tune
