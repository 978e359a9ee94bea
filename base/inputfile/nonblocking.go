//go:build !wasm

package inputfile

import "syscall"

// nonblocking has a pipe be opened without one who writes to it.
const nonblocking = syscall.O_NONBLOCK
