package machinetest

import (
	"testing"

	"github.com/go-acap/acap/device/acap/machine"
)

// Preset returns the machine of a name, or ends the test if there is none.
func Preset(t testing.TB, name string) *machine.Machine {
	t.Helper()
	m, err := machine.Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
