package e2e_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/cmd/acap/e2e"
)

// TestChoose: configurations come in the order of their names, each as often as it is named.
func TestChoose(t *testing.T) {
	chosen, err := e2e.Choose("portable, host,portable")
	require.NoError(t, err)
	var names []string
	for _, c := range chosen {
		names = append(names, c.Name)
	}
	require.Equal(t, []string{"portable", "host", "portable"}, names)
	for _, name := range []string{"", "Host", "host,"} {
		_, err := e2e.Choose(name)
		require.ErrorContains(t, err, "there are "+strings.Join(e2e.Names(), ", "))
	}
}
