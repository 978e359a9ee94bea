//go:build !windows

package main

import "time"

var began = time.Now()

// wall is the time since the program began.
func wall() time.Duration { return time.Since(began) }
