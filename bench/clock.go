//go:build !windows

package main

import "time"

var began = time.Now()

// clock is the time since the program began.
func clock() time.Duration { return time.Since(began) }
