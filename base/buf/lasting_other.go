//go:build !linux

package buf

// Advise has the system put memory on large pages where systems can be told.
func Advise([]byte) {}

func populate([]byte) {}
