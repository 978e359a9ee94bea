// SPDX-License-Identifier: Apache-2.0

// Package environment reads settings from environment variables. A value that cannot be
// used is an error of type [*Error], never ignored. [Variables] lists
// them all.
package environment
