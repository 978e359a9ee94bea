//go:build !linux

package cpu

// allowTiles asks nobody: AMX is used on Linux only.
func allowTiles() bool { return false }
