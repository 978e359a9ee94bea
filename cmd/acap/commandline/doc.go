// SPDX-License-Identifier: Apache-2.0

// Package commandline holds the flags that commands of acap have alike.
package commandline
