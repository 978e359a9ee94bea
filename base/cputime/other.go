//go:build !unix

package cputime

import "time"

var began = time.Now()

// Used is the time of the clock where that of processors is not known.
func Used() time.Duration { return time.Since(began) }
