// SPDX-License-Identifier: Apache-2.0

// Package commandline holds the flags that several commands of acap share: the flags of a [Device], of a model's
// [Inputs], of a [Language] model and of its [Answer]. [Parse] reads flags, and errors of [Wrong] say that the command
// line is to be changed.
package commandline
