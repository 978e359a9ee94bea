//go:build amd64 && !linux

package cpu

// allowTiles reports whether AMX may be used: not where nobody has tried.
func allowTiles() bool { return false }
