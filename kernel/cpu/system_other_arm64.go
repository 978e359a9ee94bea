//go:build !linux && !darwin && !windows

package cpu

// system knows of no extension.
func (f *Features) system() {}
