//go:build !unix

package cputime

import "time"

var began = time.Now()

// Used returns the time since the program began: this system does not tell the time of processors.
func Used() time.Duration { return time.Since(began) }
