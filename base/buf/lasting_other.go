//go:build !linux

package buf

func advise([]byte) {}

func populate([]byte) {}
