// SPDX-License-Identifier: Apache-2.0

// Package groupreport tells how a model is divided into groups for a device, and what each group takes: [Of] runs the program.
package groupreport
