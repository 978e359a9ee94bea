package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMain lets the cases that start processes start this one.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "start" {
		if err := run(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestStartOfNothing(t *testing.T) {
	require.ErrorContains(t, run([]string{"start", "nothing"}), `no model "nothing"`)
}
