// SPDX-License-Identifier: Apache-2.0

// Package commandline holds the flags that several commands of acap share.
package commandline
