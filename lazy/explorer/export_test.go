package explorer

import (
	"maps"
	"slices"
)

// Kept names the parts that an explorer keeps.
func Kept(e *Explorer) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Sorted(maps.Keys(e.parts))
}
