package longtest

import (
	"os"
	"testing"

	_ "github.com/go-acap/acap/base/longtest/heap"
)

// Variable is the environment variable that asks for long tests.
const Variable = "ACAP_LONG"

// On reports whether long tests are asked for.
func On() bool { return os.Getenv(Variable) != "" }

// Only skips a test unless long tests are asked for.
func Only(t testing.TB) {
	t.Helper()
	if !On() {
		t.Skip("runs with " + Variable + "=1")
	}
}

// Some returns the first few elements of a list that a usual run checks, and all where long tests are asked for.
func Some[E any](usual int, all ...E) []E {
	if On() {
		return all
	}
	return all[:min(usual, len(all))]
}

// Sample returns how much of a property a test is to check: few with -short, as emulated processors are tested,
// usual without it, and all where long tests are asked for.
func Sample(few, usual, all int) int {
	switch {
	case On():
		return all
	case testing.Short():
		return few
	}
	return usual
}
